/// @file
/// Prompt lookup against a search that looks everywhere, and its bounds.
#include "stages/6_speculative_decoding/ngram_drafter.h"

#include "stages/core/random_stream.h"
#include "tests/catch.h"
#include "tests/speculation/requests.h"

namespace stagecraft {
namespace {

using testing::complaint_of;
using testing::drafted;
using testing::request_of;
using testing::Tokens;

/// The rule word by word: the longest suffix that came before, its latest occurrence, what followed it.
Tokens searched(const Tokens& tokens, const NgramOptions& options, int length) {
  const int64_t size = int64_t(tokens.size());
  for (int64_t n = std::min<int64_t>(options.max_match, size - 1); n >= options.min_match; --n) {
    for (int64_t start = size - n - 1; start >= 0; --start) {
      if (!std::equal(tokens.begin() + start, tokens.begin() + start + n, tokens.end() - n)) continue;
      Tokens known = tokens;
      for (int i = 0; i < length; ++i) known.push_back(known[size_t(start + n + i)]);
      return {known.begin() + size, known.end()};
    }
  }
  return {};
}

TEST_CASE("n-grams: what followed the last tokens when they came last", "[ngram]") {
  NgramDrafter drafter;
  CHECK(drafted(drafter, request_of({1, 2, 3, 4, 9, 1, 2, 3}), 3) == Tokens{4, 9, 1});
  CHECK(drafted(drafter, request_of({5, 7, 1, 5, 8, 2, 5}, 1), 1) == Tokens{8});  // the latest of two occurrences
}

TEST_CASE("n-grams: a longer match counts more than a later one", "[ngram]") {
  NgramDrafter drafter({.min_match = 1, .max_match = 2});
  CHECK(drafted(drafter, request_of({1, 2, 7, 2, 8, 1, 2}), 1) == Tokens{7});
  NgramDrafter single({.min_match = 1, .max_match = 1});
  CHECK(drafted(single, request_of({1, 2, 7, 2, 8, 1, 2}), 1) == Tokens{8});
}

TEST_CASE("n-grams: nothing that repeats, no draft", "[ngram]") {
  NgramDrafter drafter;
  CHECK(drafted(drafter, request_of({1, 2, 3, 4}), 4).empty());
  CHECK(drafted(drafter, request_of({}, 1), 4).empty());
  CHECK(drafted(drafter, request_of({1}, 2), 4).empty());
  CHECK(drafted(drafter, request_of({1, 1}, 3), 0).empty());
}

TEST_CASE("n-grams: matches shorter than min_match are no evidence", "[ngram]") {
  NgramDrafter drafter({.min_match = 2, .max_match = 3});
  CHECK(drafted(drafter, request_of({1, 2, 3, 2}), 2).empty());
  CHECK(drafted(drafter, request_of({1, 2, 3, 1, 2}, 1), 2) == Tokens{3, 1});
}

TEST_CASE("n-grams: at the end of the text the guess goes on in itself, and nothing past it is read", "[ngram]") {
  NgramDrafter drafter;
  CHECK(drafted(drafter, request_of({4, 5, 4, 5}), 7) == Tokens{4, 5, 4, 5, 4, 5, 4});
  CHECK(drafted(drafter, request_of({6, 6}, 1), 5) == Tokens{6, 6, 6, 6, 6});
}

TEST_CASE("n-grams: the index gives what a search through everything gives, at every step of many texts", "[ngram]") {
  const NgramOptions options =
      GENERATE(NgramOptions{1, 3}, NgramOptions{2, 2}, NgramOptions{2, 5}, NgramOptions{1, 32});
  NgramDrafter drafter(options);
  RandomStream random(7, 1);
  int64_t drafts = 0;
  for (int id = 0; id < 20; ++id) {
    Request request = request_of({}, id);
    for (int step = 0; step < 120; ++step) {
      for (int64_t more = 1 + random.below(3); more > 0; --more) {
        request.tokens.push_back(TokenId(random.below(uint32_t(2 + id / 2))));  // few words repeat often
      }
      const Tokens expected = searched(request.tokens, options, 6);
      REQUIRE(drafted(drafter, request, 6) == expected);
      drafts += expected.empty() ? 0 : 1;
    }
  }
  CHECK(drafts > 1000);
}

TEST_CASE("n-grams: each token of a request goes through its index once, however long the text", "[ngram]") {
  NgramDrafter drafter;
  Request a = request_of(Tokens(500, 3)), b = request_of({1, 2, 1}, 1);
  for (int step = 0; step < 1000; ++step) {
    drafted(drafter, a, 4), drafted(drafter, b, 4);
    a.tokens.push_back(TokenId(step % 17));
  }
  CHECK(drafter.tokens_indexed() == (500 + 999 - 1) + 2);  // the last token is not followed by anything yet
}

TEST_CASE("n-grams: requests do not see each other's text", "[ngram]") {
  NgramDrafter drafter;
  drafted(drafter, request_of({1, 2, 3, 4, 5}, 0), 1);
  CHECK(drafted(drafter, request_of({9, 2, 3}, 1), 1).empty());
}

TEST_CASE("n-grams: a forgotten request leaves nothing, and may come back with more", "[ngram]") {
  NgramDrafter drafter;
  Request request = request_of({1, 2, 1});
  CHECK(drafted(drafter, request, 1) == Tokens{2});
  drafter.forget(request);
  CHECK(drafter.requests() == 0);
  request.tokens = {1, 2, 1, 8, 1};
  CHECK(drafted(drafter, request, 2) == Tokens{8, 1});
}

TEST_CASE("n-grams: another, shorter request of the same id starts afresh", "[ngram]") {
  NgramDrafter drafter;
  drafted(drafter, request_of({1, 2, 3, 1, 2, 3, 1}), 2);
  CHECK(drafted(drafter, request_of({3, 1}), 2).empty());
  CHECK(drafted(drafter, request_of({3, 5, 3}), 2) == Tokens{5, 3});
}

TEST_CASE("n-grams: lengths that make no sense are refused", "[ngram]") {
  CHECK(
      complaint_of([] { NgramDrafter({.min_match = 0, .max_match = 3}); }) ==
      "n-grams of 0 to 3 tokens cannot be looked up | the shortest match is at least 1, the longest at least that and "
      "at most 32");
  CHECK(complaint_of([] { NgramDrafter({.min_match = 4, .max_match = 3}); }).find("4 to 3") != std::string::npos);
  CHECK(complaint_of([] { NgramDrafter({.min_match = 1, .max_match = 33}); }).find("1 to 33") != std::string::npos);
  CHECK(complaint_of([] { NgramDrafter({.min_match = 32, .max_match = 32}); }).empty());
}

}  // namespace
}  // namespace stagecraft
