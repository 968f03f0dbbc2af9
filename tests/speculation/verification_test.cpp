/// @file
/// The main verifier, and what a request makes of a verdict that goes beyond its end.
#include "stages/6_speculative_decoding/verification.h"

#include <cmath>

#include "stages/6_speculative_decoding/acceptance.h"
#include "stages/core/generation.h"
#include "tests/catch.h"
#include "tests/core/tales_tokenizer.h"
#include "tests/speculation/requests.h"

namespace stagecraft {
namespace {

using testing::request_of;
using testing::Tokens;

TEST_CASE("match: right up to the first difference, and the target's own token there", "[verify]") {
  const Tokens draft{4, 5, 6};
  struct Case {
    Tokens drawn;
    size_t accepted;
    Tokens committed;
  };
  for (const Case& c : {Case{{4, 5, 6, 9}, 3, {4, 5, 6, 9}}, Case{{4, 5, 7, 9}, 2, {4, 5, 7}},
                        Case{{4, 7, 6, 9}, 1, {4, 7}}, Case{{7, 5, 6, 9}, 0, {7}}}) {
    const Verdict verdict = verify_by_match(draft, c.drawn);
    CHECK(verdict.accepted == c.accepted);
    CHECK(verdict.tokens == c.committed);
  }
}

TEST_CASE("match: a draft of length 0 gives the target's token, as without drafts", "[verify]") {
  const Verdict verdict = verify_by_match({}, Tokens{8});
  CHECK(verdict.accepted == 0);
  CHECK(verdict.tokens == Tokens{8});
}

/// A generation of at most `most` tokens that ends at end of text, fed with `verdict`.
Request committed(const Verdict& verdict, int64_t most) {
  Request request = request_of({5});
  request.max_tokens = most;
  NoTextSink nowhere;
  Generation generation(request, testing::tales_tokenizer(), {testing::kTalesEndOfText}, TimePoint{}, nowhere);
  generation.accept(verdict.tokens);
  return generation.request();
}

TEST_CASE("end of text inside the draft: what was drafted behind it is not part of the output", "[verify]") {
  const TokenId end = testing::kTalesEndOfText;
  const Request request = committed(verify_by_match(Tokens{7, end, 9}, Tokens{7, end, 9, 11}), 100);
  CHECK(request.tokens == Tokens{5, 7, end});
  CHECK(request.finished == FinishReason::stop);
}

TEST_CASE("end of text as the token behind an accepted draft", "[verify]") {
  const TokenId end = testing::kTalesEndOfText;
  const Request request = committed(verify_by_match(Tokens{7, 9}, Tokens{7, 9, end}), 100);
  CHECK(request.tokens == Tokens{5, 7, 9, end});
  CHECK(request.finished == FinishReason::stop);
}

TEST_CASE("end of text in the draft, and the target says otherwise: the text goes on", "[verify]") {
  const Request request = committed(verify_by_match(Tokens{7, testing::kTalesEndOfText}, Tokens{7, 12, 30}), 100);
  CHECK(request.tokens == Tokens{5, 7, 12});
  CHECK_FALSE(request.finished);
}

TEST_CASE("an accepted draft that goes beyond max_tokens is cut there", "[verify]") {
  const Request request = committed(verify_by_match(Tokens{7, 9, 8}, Tokens{7, 9, 8, 6}), 2);
  CHECK(request.tokens == Tokens{5, 7, 9});
  CHECK(request.finished == FinishReason::length);
}

TEST_CASE("counts: by position, tokens a call, and acceptance of what was judged", "[acceptance]") {
  AcceptanceCounts counts;
  CHECK(counts.acceptance() == 0);
  CHECK(counts.tokens_per_call() == 0);
  counts.add(3, 3), counts.add(3, 1), counts.add(0, 0), counts.add(2, 0);
  CHECK(counts.proposed() == 8);
  CHECK(counts.accepted() == 4);
  REQUIRE(counts.by_position().size() == 3);
  const auto at = [&](size_t i) {
    return std::pair(counts.by_position()[i].proposed, counts.by_position()[i].accepted);
  };
  CHECK(at(0) == std::pair<int64_t, int64_t>(3, 2));
  CHECK(at(1) == std::pair<int64_t, int64_t>(3, 1));
  CHECK(at(2) == std::pair<int64_t, int64_t>(2, 1));
  CHECK(counts.tokens_per_call() == 2.0);                  // (4 accepted + 4 calls) / 4
  CHECK(std::abs(counts.acceptance() - 4.0 / 6) < 1e-12);  // two rejections; what lay behind them was not judged
}

}  // namespace
}  // namespace stagecraft
