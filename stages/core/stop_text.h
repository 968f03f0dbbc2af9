#pragma once
/// @file
/// Stop texts in a stream: finds them where a token border, or several, cut through them, and lets no part of one out.
///
/// Text that could still become a stop text is held back until it is clear. With the stop text "\n\nUser:",
///
///     pushed      "The end."   "\n"    "\n"    "Then"
///     comes out   "The end."    ""      ""     "\n\nThen"
///
/// The stop text that is complete first ends the output, and among those complete at the same byte the longest. So the
/// result does not depend on how the text was cut into pieces.
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

class StopTextFilter {
 public:
  /// `stops` are not empty texts; there may be none of them.
  explicit StopTextFilter(std::vector<std::string> stops);

  /// Takes the next piece of whole characters. Returns what can no longer become part of a stop text; whole characters.
  std::string push(std::string_view piece);
  /// What was held back when no more text comes.
  std::string finish();

  /// A stop text has come; what follows is dropped.
  bool stopped() const { return stopped_; }

 private:
  std::vector<std::string> stops_;
  std::string held_;
  bool stopped_ = false;
};

}  // namespace stagecraft
