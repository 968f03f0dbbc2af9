#include "stages/core/tokenizer/regex_dialect.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string_view>
#include <utility>

#include "stages/core/tokenizer/part.h"

namespace stagecraft::tokenizer {
namespace {

constexpr std::string_view kWhiteSpace = R"(\t-\r\x{85}\p{Z})";
// Oniguruma's \w: letters, marks, digits, connectors; the signs of Latin-1 that look like digits; letters in circles
// and squares.
constexpr std::string_view kWord = R"(\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{B2}\x{B3}\x{B9}\x{BC}-\x{BE})"
                                   R"(\x{24B6}-\x{24E9}\x{1F130}-\x{1F149}\x{1F150}-\x{1F169}\x{1F170}-\x{1F189})";
constexpr std::string_view kSameEscapes = "pPdDnrtfx";  // letters that mean the same behind a backslash
constexpr std::array<std::string_view, 8> kSameGroups = {"(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?i:", "(?i)"};

/// Copies a pattern from left to right, and changes or refuses what needs it.
class Translation {
 public:
  Translation(std::string_view pattern, const JsonField& field) : rest_(pattern), field_(&field) {}

  std::string run() {
    while (!rest_.empty()) {
      if (rest_.front() == '\\') {
        escape();
      } else if (in_set_) {
        set_character();
      } else {
        character();
      }
    }
    return std::move(out_);
  }

 private:
  void copy(size_t bytes) {
    out_ += rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
  }

  bool goes_on_with(std::string_view text) const { return rest_.substr(0, text.size()) == text; }

  void escape() {
    if (rest_.size() < 2) refuse("a backslash at the end");
    const char letter = rest_[1];
    const bool is_letter = std::isalnum(uint8_t(letter)) != 0;
    if (letter == 's' || letter == 'S') return put_class(kWhiteSpace, letter == 'S');
    if (letter == 'w' || letter == 'W') return put_class(kWord, letter == 'W');
    if (is_letter && kSameEscapes.find(letter) == kSameEscapes.npos) refuse(rest_.substr(0, 2));
    copy(2);
    const bool takes_braces = letter == 'p' || letter == 'P' || letter == 'x';
    if (takes_braces && goes_on_with("{")) copy(std::min(rest_.find('}'), rest_.size() - 1) + 1);
  }

  void put_class(std::string_view members, bool negated) {
    if (in_set_ && negated) refuse("a negated class inside a set");
    rest_.remove_prefix(2);
    if (!in_set_) out_ += negated ? "[^" : "[";
    out_ += members;
    if (!in_set_) out_ += ']';
  }

  void set_character() {
    if (rest_.front() == '[') refuse("a set inside a set");
    if (goes_on_with("&&")) refuse("&&");
    if (rest_.front() == ']') in_set_ = false;
    copy(1);
  }

  void character() {
    if (goes_on_with("[]") || goes_on_with("[^]")) refuse("a set that begins with ]");
    if (goes_on_with("(*")) refuse("(*");
    if (goes_on_with("}+")) refuse("}+");  // a quantifier's: those of \p{..} and \x{..} are copied by escape()
    if (goes_on_with("(?")) return group();
    if (goes_on_with("[")) in_set_ = true;
    copy(goes_on_with("[^") ? 2 : 1);
  }

  void group() {
    for (const std::string_view known : kSameGroups) {
      if (goes_on_with(known)) return copy(known.size());
    }
    refuse(rest_.substr(0, 3));
  }

  [[noreturn]] void refuse(std::string_view what) const {
    field_->fail(fmt::format("must do without {}: regular expression libraries differ on it", in_quotes(what)),
                 kUnsupportedHint);
  }

  std::string_view rest_;
  const JsonField* field_;
  std::string out_;
  bool in_set_ = false;  // between [ and ]
};

}  // namespace

std::string to_pcre2(const std::string& pattern, const JsonField& field) { return Translation(pattern, field).run(); }

}  // namespace stagecraft::tokenizer
