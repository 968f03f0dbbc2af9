#include "stages/core/tokenizer/regex.h"

#include <limits>

#include "stages/core/tokenizer/part.h"
#include "stages/core/tokenizer/regex_dialect.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace stagecraft::tokenizer {
namespace {

constexpr uint32_t kFirstLimit = 1024;  // steps of one attempt; those that stay below are not counted
constexpr int64_t kStepsForAnyText = 100'000;
constexpr int64_t kStepsPerByte = 64;
constexpr uint32_t kHeapKibibytes = 64 * 1024;
constexpr size_t kLongestPattern = 16 * 1024;

std::shared_ptr<pcre2_compile_context> compile_context() {
  std::shared_ptr<pcre2_compile_context> context(pcre2_compile_context_create(nullptr), pcre2_compile_context_free);
  // Oniguruma, which these patterns are written for, ends lines at \n only, whatever PCRE2 was built with.
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  pcre2_set_bsr(context.get(), PCRE2_BSR_UNICODE);
  pcre2_set_max_pattern_length(context.get(), kLongestPattern);
  return context;
}

std::string error_text(int error) {
  constexpr size_t kLongestMessage = 256;
  PCRE2_UCHAR text[kLongestMessage];
  pcre2_get_error_message(error, text, kLongestMessage);
  return reinterpret_cast<const char*>(text);
}

}  // namespace

Regex::Regex(const std::string& pattern, const JsonField& field) : pattern_(pattern) {
  constexpr uint32_t kOptions = PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE;  // ^ and $ mean lines in Oniguruma
  int error = 0;
  size_t offset = 0;
  const std::string translated = to_pcre2(pattern, field);
  code_.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.data()), translated.size(), kOptions, &error,
                            &offset, compile_context().get()),
              pcre2_code_free);
  if (!code_) {
    field.fail(fmt::format("must be a regular expression ({})", error_text(error)));
  }
  pcre2_jit_compile(code_.get(), PCRE2_JIT_COMPLETE);  // where it fails, matching falls back to the interpreter
}

RegexSearch::RegexSearch(const Regex& regex)
    : regex_(&regex),
      result_(pcre2_match_data_create(1, nullptr), pcre2_match_data_free),
      context_(pcre2_match_context_create(nullptr), pcre2_match_context_free),
      budget_(kStepsForAnyText) {
  pcre2_set_heap_limit(context_.get(), kHeapKibibytes);
}

void RegexSearch::allow(size_t bytes) { budget_ += kStepsPerByte * int64_t(bytes); }

std::optional<Range> RegexSearch::match_at(std::string_view text, size_t at) {
  uint32_t limit = kFirstLimit, options = PCRE2_ANCHORED | PCRE2_NO_UTF_CHECK;
  int count = attempt(text, at, limit, options);
  while (count == PCRE2_ERROR_MATCHLIMIT || count == PCRE2_ERROR_JIT_STACKLIMIT) {
    if (count == PCRE2_ERROR_JIT_STACKLIMIT) {
      options |= PCRE2_NO_JIT;  // the interpreter's stack is on the heap
    } else {
      budget_ -= limit;
      if (budget_ < 0 || limit > std::numeric_limits<uint32_t>::max() / 2) too_expensive();
      limit *= 2;
    }
    count = attempt(text, at, limit, options);
  }
  if (count == PCRE2_ERROR_NOMATCH) return std::nullopt;
  if (count < 0) too_expensive();  // the heap limit

  const size_t* offsets = pcre2_get_ovector_pointer(result_.get());
  const Range range{offsets[0], offsets[1]};
  check(at == range.begin && range.begin <= range.end, "an anchored match begins where it was asked for");
  return range;
}

int RegexSearch::attempt(std::string_view text, size_t at, uint32_t limit, uint32_t options) {
  pcre2_set_match_limit(context_.get(), limit);
  return pcre2_match(regex_->code_.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), at, options,
                     result_.get(), context_.get());
}

void RegexSearch::too_expensive() const {
  throw BadInput(
      fmt::format("tokenizer.json: the pattern {} takes too long on this text", in_quotes(regex_->pattern())),
      "a pattern whose time grows faster than the text is refused; simplify it in tokenizer.json");
}

}  // namespace stagecraft::tokenizer
