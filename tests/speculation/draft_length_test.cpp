/// @file
/// Two up, one down: the rule, its bounds, and where it settles.
#include "stages/6_speculative_decoding/draft_length.h"

#include <cmath>

#include "stages/6_speculative_decoding/break_even.h"
#include "stages/core/random_stream.h"
#include "tests/catch.h"
#include "tests/speculation/requests.h"

namespace stagecraft {
namespace {

using testing::complaint_of;
using testing::request_of;

TEST_CASE("fixed: always the same, whatever becomes of the drafts", "[length]") {
  DraftLength length({.length = 3});
  const Request request = request_of({1});
  length.observe(request, 3, 3), length.observe(request, 3, 0);
  CHECK(length.next(request) == 3);
}

TEST_CASE("adaptive: two more when all were right, one less at a rejection", "[length]") {
  DraftLength length({.adaptive = true, .length = 4, .most = 9});
  const Request request = request_of({1});
  CHECK(length.next(request) == 4);
  length.observe(request, 4, 4);
  CHECK(length.next(request) == 6);
  length.observe(request, 6, 5);
  CHECK(length.next(request) == 5);
  length.observe(request, 5, 5), length.observe(request, 7, 7);
  CHECK(length.next(request) == 9);  // 11 is more than the most
  for (int i = 0; i < 20; ++i) length.observe(request, 1, 0);
  CHECK(length.next(request) == 1);  // never 0: it would not come back
  length.observe(request, 1, 1);
  CHECK(length.next(request) == 3);
}

TEST_CASE("adaptive: a draft that was shorter than wanted proves nothing when it is right", "[length]") {
  DraftLength length({.adaptive = true, .length = 4});
  const Request request = request_of({1});
  length.observe(request, 3, 3), length.observe(request, 0, 0);
  CHECK(length.next(request) == 4);
  length.observe(request, 3, 2);
  CHECK(length.next(request) == 3);
}

TEST_CASE("adaptive: each request has its own length, and a new one begins anew", "[length]") {
  DraftLength length({.adaptive = true, .length = 4});
  const Request a = request_of({1}, 0), b = request_of({1}, 1);
  length.observe(a, 4, 4);
  CHECK(length.next(b) == 4);
  length.forget(a);
  CHECK(length.next(a) == 4);
}

TEST_CASE("never more than a request may still generate but one", "[length]") {
  const DraftLength length({.length = 4});
  Request request = request_of({1, 2, 3});
  for (const auto& [left, expected] : {std::pair{9, 4}, {5, 4}, {4, 3}, {2, 1}, {1, 0}, {0, 0}}) {
    request.max_tokens = left;
    CHECK(length.next(request) == expected);
  }
}

TEST_CASE("adaptive: the length settles where a whole draft holds in one case of three, near the best", "[length]") {
  for (const double acceptance : {0.5, 0.8, 0.9}) {
    DraftLength length({.adaptive = true, .length = 1, .most = 64});
    const Request request = request_of({1});
    RandomStream random(3, 3);
    double sum = 0;
    constexpr int kSteps = 100'000;
    for (int step = 0; step < kSteps; ++step) {
      const int drafted = length.next(request);
      int accepted = 0;
      while (accepted < drafted && double(random.uniform()) < acceptance) ++accepted;
      length.observe(request, drafted, accepted);
      sum += drafted;
    }
    const double settles = std::log(1.0 / 3.0) / std::log(acceptance);
    CHECK(sum / kSteps > settles);
    CHECK(sum / kSteps < settles + 0.75);
    CHECK(std::abs(sum / kSteps - best_length(acceptance, 0.1, 64, [](int) { return 1.0; }).length) < 1.0);
  }
}

TEST_CASE("lengths that make no sense are refused", "[length]") {
  CHECK(complaint_of([] { DraftLength({.length = 0}); }) ==
        "drafts of 0 tokens cannot be made | 1 is the smallest that works, 64 the largest");
  CHECK_FALSE(complaint_of([] { DraftLength({.length = 65}); }).empty());
  CHECK(complaint_of([] { DraftLength({.adaptive = true, .length = 8, .most = 7}); }) ==
        "drafts that begin with 8 tokens cannot grow to 7 | 8 is the smallest that works, 64 the largest");
  CHECK(complaint_of([] { DraftLength({.length = 64}); }).empty());
}

}  // namespace
}  // namespace stagecraft
