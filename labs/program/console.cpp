#include "labs/program/console.h"

#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

namespace stagecraft::labs {

Console::Console() : terminal_(::isatty(STDOUT_FILENO) == 1), colours_(terminal_) {
  const char* no_colour = std::getenv("NO_COLOR");  // no-color.org: any value that is not empty
  if (no_colour && *no_colour) colours_ = false;
}

std::string Console::coloured(const std::string& text, const char* code) const {
  return colours_ ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

std::string Console::outcome(Outcome outcome) const {
  const std::string name = is_failure(outcome) && outcome == Outcome::fail ? "FAIL" : name_of(outcome);
  if (outcome == Outcome::pass) return green(name);
  return is_failure(outcome) ? red(name) : yellow(name);
}

std::string points_text(double points) { return fmt::format("{:g}", points); }

}  // namespace stagecraft::labs
