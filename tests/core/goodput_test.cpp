/// @file
/// Requests within their targets, and the rate of those.
#include "stages/core/goodput.h"

#include <chrono>

#include "tests/catch.h"

namespace stagecraft {
namespace {

/// Three tokens: the first after `first_ms`, the others `gap_ms` apart.
RequestRecord served(double first_ms, double gap_ms) {
  RequestRecord request;
  request.finish_reason = FinishReason::length;
  request.arrival = TimePoint(std::chrono::milliseconds(100));
  TimePoint at = request.arrival;
  for (int i = 0; i < 3; ++i) {
    at += std::chrono::microseconds(int64_t(1000 * (i == 0 ? first_ms : gap_ms)));
    request.chunks.push_back({at, 1});
    request.output_ids.push_back(0);
  }
  return request;
}

TEST_CASE("who meets both targets counts as served in time, on the target included", "[goodput]") {
  const Slo slo{50, 10};
  CHECK(within(slo, served(40, 9)));
  CHECK(within(slo, served(50, 10)));
  CHECK_FALSE(within(slo, served(51, 9)));
  CHECK_FALSE(within(slo, served(40, 11)));
  RequestRecord one_token = served(40, 100);
  one_token.chunks.resize(1);
  one_token.output_ids.resize(1);
  CHECK(within(slo, one_token));
}

TEST_CASE("cancelled requests have missed, refused ones were never tried", "[goodput]") {
  RunLog log;
  log.start = TimePoint(std::chrono::seconds(1));
  log.end = TimePoint(std::chrono::seconds(3));
  log.requests = {served(1, 1), served(1, 1), served(99, 1), served(1, 1), served(1, 1)};
  log.requests[3].finish_reason = FinishReason::cancelled;
  log.requests[4].finish_reason = FinishReason::refused;
  const Goodput goodput = goodput_of(log, {50, 10});
  CHECK(goodput.met == 2);
  CHECK(goodput.requests == 4);
  CHECK(goodput.share() == 0.5);
  CHECK(goodput.requests_per_s == 1.0);
  CHECK(goodput_of({}, {}).share() == 0.0);
}

}  // namespace
}  // namespace stagecraft
