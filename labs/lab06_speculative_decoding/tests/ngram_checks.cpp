/// @file
/// Lab 6: the n-gram drafter against one that looks through the whole text each time.
#include <algorithm>

#include "labs/support/check.h"

namespace {

using stagecraft::labs::Check;
using stagecraft::labs::Message;
using Integers = std::vector<int64_t>;

struct Limits {
  int64_t min_match, max_match, length;
};

/// The position behind the match that counts; nothing if there is none.
std::optional<int64_t> position_after_match(const Integers& text, const Limits& limits) {
  const int64_t size = int64_t(text.size());
  for (int64_t n = std::min(limits.max_match, size - 1); n >= limits.min_match; --n) {
    for (int64_t end = size - 1; end >= n; --end) {  // the latest occurrence first
      if (std::equal(text.end() - n, text.end(), text.begin() + (end - n))) return end;
    }
  }
  return std::nullopt;
}

Integers drafted(Integers text, const Limits& limits) {
  const std::optional<int64_t> from = position_after_match(text, limits);
  if (!from) return {};
  const auto size = std::ptrdiff_t(text.size());
  for (int64_t i = 0; i < limits.length; ++i) text.push_back(text[size_t(*from + i)]);
  return {text.begin() + size, text.end()};
}

Integers random_text(Check& check, int64_t size, uint32_t words) {
  Integers text(static_cast<size_t>(size));
  for (int64_t& token : text) token = 1000 + check.random().below(words);
  return text;
}

/// The whole text, for a failure's report, if it is short.
std::string shown(const Integers& text) {
  constexpr size_t kShort = 40;
  return text.size() <= kShort ? fmt::format("{}", fmt::join(text, " ")) : fmt::format("{} tokens", text.size());
}

Message propose(Check& check, const Integers& text, const Integers& sizes, const Limits& limits) {
  check.input("text: {}", shown(text));
  check.step("propose(text, index, {{{}, {}}}, {})", limits.min_match, limits.max_match, limits.length);
  return check.call(Message("propose")
                        .set("tokens", text)
                        .set("sizes", sizes)
                        .set("min_match", limits.min_match)
                        .set("max_match", limits.max_match)
                        .set("length", limits.length));
}

void expect_draft(Check& check, const Integers& text, const Limits& limits) {
  const Message answer = propose(check, text, {int64_t(text.size())}, limits);
  check.expect_equal("draft", drafted(text, limits), answer.integers("drafts"));
}

constexpr Limits kUsual{1, 3, 4};

}  // namespace

LAB_CHECK("lab06.t3.c1") {
  for (const int64_t size : check.sizes({2, 5, 31, 32, 33, 127, 128, 129})) {
    for (const uint32_t words : {2u, 4u, 8u, 40u}) expect_draft(check, random_text(check, size, words), kUsual);
  }
  // The last token alone came just now; the last three together came long ago.
  Integers text = {1, 2, 3, 77};
  for (int64_t i = 0; i < 20; ++i) text.push_back(100 + i);
  for (const int64_t token : {3, 88, 1, 2, 3}) text.push_back(token);
  expect_draft(check, text, kUsual);
}

LAB_CHECK("lab06.t3.c2") {
  for (const int64_t occurrences : {2, 3, 5}) {
    Integers text;
    for (int64_t i = 0; i <= occurrences; ++i) {
      for (const int64_t token : {7, 8, 9}) text.push_back(token);
      if (i < occurrences) {
        for (int64_t k = 0; k < 5; ++k) text.push_back(1000 + check.random().below(100000));
      }
    }
    expect_draft(check, text, kUsual);
  }
}

LAB_CHECK("lab06.t3.c3") {
  const Integers pair = {5, 6, 70, 80, 90, 5, 6};
  expect_draft(check, pair, {1, 3, 4});
  expect_draft(check, pair, {2, 3, 4});
  expect_draft(check, pair, {3, 3, 4});
  const Integers longer = {4, 5, 6, 70, 5, 6, 80, 6, 90, 4, 5, 6};
  for (const int64_t longest : {1, 2, 3, 4}) expect_draft(check, longer, {1, longest, 3});
  for (const int64_t length : {0, 1, 2, 33}) expect_draft(check, pair, {1, 3, length});
  expect_draft(check, {}, kUsual);
  expect_draft(check, {9}, kUsual);
  expect_draft(check, {9, 9}, kUsual);
  expect_draft(check, {1, 2, 1, 2}, {1, 3, 9});
  expect_draft(check, {3, 3, 3, 3, 3}, {2, 4, 6});
}

LAB_CHECK("lab06.t3.c4") {
  constexpr int64_t kTokens = 3000, kPrompt = 200, kReadsAToken = 64;
  const Integers text = random_text(check, kTokens, 12);
  Integers sizes, expected;
  for (int64_t size = kPrompt; size <= kTokens; size += 1 + check.random().below(5)) {
    sizes.push_back(size);
    const Integers draft = drafted({text.begin(), text.begin() + size}, kUsual);
    expected.insert(expected.end(), draft.begin(), draft.end());
  }
  const Message answer = propose(check, text, sizes, kUsual);
  check.step("... {} times with the same index, while the text grows from {} to {} tokens", sizes.size(), kPrompt,
             sizes.back());
  check.expect_equal("drafts", expected, answer.integers("drafts"));
  check.expect_at_most("reads of the text", kReadsAToken * sizes.back(), answer.integer("reads"));
}
