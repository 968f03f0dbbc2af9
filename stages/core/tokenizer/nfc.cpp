#include "stages/core/tokenizer/nfc.h"

#include <algorithm>
#include <vector>

#include <utf8proc.h>

#include "kernels/check.h"
#include "stages/core/tokenizer/utf8.h"

namespace stagecraft::tokenizer {
namespace {

using CodePoints = std::vector<utf8proc_int32_t>;

CodePoints decomposed(std::string_view text) {
  constexpr auto kCanonical = utf8proc_option_t(UTF8PROC_DECOMPOSE | UTF8PROC_STABLE);
  constexpr size_t kLongest = 32;  // code points of one character; Unicode's longest canonical decomposition has 4
  CodePoints points;
  points.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const Utf8Step step = utf8_step(text, at);
    at += step.bytes;
    utf8proc_int32_t parts[kLongest];
    const auto count =
        utf8proc_decompose_char(utf8proc_int32_t(step.code), parts, utf8proc_ssize_t(kLongest), kCanonical, nullptr);
    check(count >= 0 && count <= utf8proc_ssize_t(kLongest), "a character decomposes into a few");
    points.insert(points.end(), parts, parts + count);
  }
  return points;
}

/// Sorts every run of combining marks by its class, stably. utf8proc would do it by exchanging neighbours, in quadratic
/// time.
void order_marks(CodePoints& points) {
  const auto mark_class = [](utf8proc_int32_t point) { return utf8proc_get_property(point)->combining_class; };
  const auto is_mark = [&](utf8proc_int32_t point) { return mark_class(point) != 0; };
  for (auto begin = points.begin(); begin != points.end();) {
    begin = std::find_if(begin, points.end(), is_mark);
    const auto end = std::find_if_not(begin, points.end(), is_mark);
    std::stable_sort(begin, end, [&](auto a, auto b) { return mark_class(a) < mark_class(b); });
    begin = end;
  }
}

void compose(CodePoints& points) {
  constexpr auto kCompose = utf8proc_option_t(UTF8PROC_COMPOSE | UTF8PROC_STABLE);
  const auto size = utf8proc_normalize_utf32(points.data(), utf8proc_ssize_t(points.size()), kCompose);
  check(size >= 0, "composing valid characters succeeds");
  points.resize(size_t(size));
}

}  // namespace

std::string nfc(std::string_view text) {
  const bool ascii = std::all_of(text.begin(), text.end(), [](char byte) { return uint8_t(byte) < 0x80; });
  if (ascii) return std::string(text);  // already composed

  CodePoints points = decomposed(text);
  order_marks(points);
  compose(points);
  std::string composed;
  composed.reserve(text.size());
  for (const utf8proc_int32_t point : points) append_utf8(composed, char32_t(point));
  return composed;
}

}  // namespace stagecraft::tokenizer
