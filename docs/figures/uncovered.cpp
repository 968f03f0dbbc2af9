#include "docs/figures/uncovered.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

#include "docs/figures/sentence.h"

namespace stagecraft::figures {
namespace {

/// The character for what is not to be looked at.
constexpr char kBlank = ' ';

void blank(std::string& text, size_t begin, size_t end) {
  for (size_t i = begin; i < std::min(end, text.size()); ++i) {
    if (text[i] != '\n') text[i] = kBlank;
  }
}

/// All between each `open` and the next `close`.
void blank_between(std::string& text, std::string_view open, std::string_view close) {
  for (size_t begin = text.find(open); begin != std::string::npos; begin = text.find(open, begin)) {
    const size_t end = text.find(close, begin + open.size());
    if (end == std::string::npos) return;
    blank(text, begin, end + close.size());
    begin = end + close.size();
  }
}

/// "stage 2" and "lab 3" are names.
std::string without_names(const std::string& text) {
  static const std::regex kName("(stages?|labs?)(\\s)[0-9]( (and|to) [0-9])?", std::regex::icase);
  return std::regex_replace(text, kName, "$1$2");
}

bool has_number(std::string_view line) {
  char before = kBlank;
  for (const char c : line) {
    const auto is = [](int (*kind)(int), char which) { return kind(static_cast<unsigned char>(which)) != 0; };
    if (is(std::isdigit, c) && (before == 'x' || !is(std::isalnum, before))) return true;
    before = is(std::isdigit, c) ? 'a' : c;
  }
  return false;
}

}  // namespace

std::vector<Line> uncovered_lines(const Recipe& recipe, const Results& results, std::string_view chapter) {
  const auto values = all_values(recipe, results);
  std::string rest(chapter);
  for (const std::string& sentence : recipe.sentences) {
    if (const auto place = place_of(filled(sentence, values), chapter)) blank(rest, place->begin, place->end);
  }
  blank_between(rest, "```", "```");
  blank_between(rest, "`", "`");
  blank_between(rest, "](", ")");
  rest = without_names(rest);

  std::vector<Line> lines;
  std::istringstream originals{std::string(chapter)}, rests(rest);
  std::string original, looked_at;
  for (size_t number = 1; std::getline(originals, original) && std::getline(rests, looked_at); ++number) {
    if (has_number(looked_at)) lines.push_back({number, original});
  }
  return lines;
}

}  // namespace stagecraft::figures
