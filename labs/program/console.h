#pragma once
/// @file
/// Words for people: colours only where a terminal shows them and NO_COLOR is not set.
#include <string>

#include "labs/program/results.h"

namespace stagecraft::labs {

class Console {
 public:
  Console();

  std::string green(const std::string& text) const { return coloured(text, "32"); }
  std::string red(const std::string& text) const { return coloured(text, "31"); }
  std::string yellow(const std::string& text) const { return coloured(text, "33"); }
  std::string bold(const std::string& text) const { return coloured(text, "1"); }
  std::string dim(const std::string& text) const { return coloured(text, "2"); }

  /// The outcome's name: green for a pass, red for a failure, yellow for what is neither.
  std::string outcome(Outcome outcome) const;
  bool is_terminal() const { return terminal_; }

 private:
  std::string coloured(const std::string& text, const char* code) const;

  bool terminal_, colours_;
};

/// 3 as "3", 2.5 as "2.5".
std::string points_text(double points);

}  // namespace stagecraft::labs
