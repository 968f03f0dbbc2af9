#pragma once
/// @file
/// Regular expressions of a tokenizer.json, by PCRE2 with UTF and Unicode properties, JIT-compiled where the machine
/// can.
///
/// The pattern is untrusted input: one like `(a+)+b` takes exponential time on "aaaa...". So a search has a budget that
/// grows linearly with the text. PCRE2 can limit a single attempt but does not say what an attempt cost; we learn it
/// within a factor of two by starting with a small limit and doubling it. The real tokenizers' patterns stay far below.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "stages/core/json_fields.h"

struct pcre2_real_code_8;
struct pcre2_real_match_data_8;
struct pcre2_real_match_context_8;

namespace stagecraft::tokenizer {

/// Bytes [begin, end) of a text.
struct Range {
  size_t begin;
  size_t end;
};

class Regex {
 public:
  /// Throws BadInput, naming `field`, where `pattern` does not compile.
  Regex(const std::string& pattern, const JsonField& field);

  const std::string& pattern() const { return pattern_; }

 private:
  friend class RegexSearch;
  std::string pattern_;
  std::shared_ptr<pcre2_real_code_8> code_;  // read-only once compiled: shared by all searches
};

/// Searches texts with one Regex. Has its own buffers and budget, so one thread uses one of them.
class RegexSearch {
 public:
  explicit RegexSearch(const Regex& regex);

  /// The match that begins a search at `text[at]` exactly (no later), or nothing. `text` must be UTF-8 and `at` the
  /// beginning of a character or the end. Throws BadInput when the search has become too expensive.
  std::optional<Range> match_at(std::string_view text, size_t at);

  /// Adds to the budget what a search through `bytes` bytes may cost.
  void allow(size_t bytes);

 private:
  int attempt(std::string_view text, size_t at, uint32_t limit, uint32_t options);
  [[noreturn]] void too_expensive() const;

  const Regex* regex_;
  std::shared_ptr<pcre2_real_match_data_8> result_;
  std::shared_ptr<pcre2_real_match_context_8> context_;
  int64_t budget_;
};

}  // namespace stagecraft::tokenizer
