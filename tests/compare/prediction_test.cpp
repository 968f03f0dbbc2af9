/// @file
/// Predictions computed by hand.
#include "stages/compare/prediction.h"

#include "tests/catch.h"
#include "tests/compare/compare_runs.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

// Weights 100 bytes, 10 a stored token, 2,000 operations a row; 10,000 bytes and 1,000,000 operations a second.
constexpr Roofline kRoofline{100, 10, 2'000, 10'000, 1'000'000};

}  // namespace

TEST_CASE("the roofline's times follow from rows and stored tokens of each step", "[compare][prediction]") {
  // Steps:  rows 3, stored 3:  memory (100 + 30) / 10 = 13 ms, arithmetic 3 x 2 = 6 ms    -> 13, ends at 13
  //         rows 6, stored 9:  memory (100 + 90) / 10 = 19 ms, arithmetic 12 ms           -> 19, ends at 32
  //         rows 2, stored 11: memory (100 + 110) / 10 = 21 ms                            -> 21, ends at 53
  const RunLog log = retimed(small_log(4), kRoofline);
  CHECK(milliseconds(log.start, log.end) == Approx(53));
  const RequestMetrics first = request_metrics(log.requests[0]), second = request_metrics(log.requests[1]);
  CHECK(*first.queue_ms == Approx(0));
  CHECK(*first.ttft_ms == Approx(13));
  REQUIRE(first.itl_ms.size() == 2);
  CHECK(first.itl_ms[0] == Approx(19));
  CHECK(first.itl_ms[1] == Approx(21));
  CHECK(*second.queue_ms == Approx(13));
  CHECK(*second.ttft_ms == Approx(32));
  CHECK(*second.e2e_ms == Approx(53));
}

TEST_CASE("a step of many rows takes as long as its arithmetic", "[compare][prediction]") {
  RunLog log = small_log(4);
  log.steps[0].parts[0].rows = 30;  // 60 ms
  CHECK(milliseconds(log.start, retimed(log, kRoofline).steps[0].finished) == Approx(60));
}

TEST_CASE("no step begins before its requests have arrived", "[compare][prediction]") {
  RunLog log = small_log(40);
  log.requests[1].arrival = at_ms(30);
  const RunLog predicted = retimed(log, kRoofline);
  CHECK(milliseconds(log.start, predicted.steps[1].start) == Approx(30));  // not 13
  CHECK(*request_metrics(predicted.requests[1]).queue_ms == Approx(0));
}

TEST_CASE("a run without steps predicts nothing and crashes nothing", "[compare][prediction]") {
  RunLog log;
  log.requests = {request_with_chunks(0, 3, 0, {})};
  log.requests[0].scheduled.reset();
  CHECK(milliseconds(log.start, retimed(log, kRoofline).end) == 0);
}

TEST_CASE("the error is that of the prediction, in percent of what was measured", "[compare][prediction]") {
  bool found = false;
  for (const Prediction& prediction : predictions_for(small_runs({4, 10, 5}), kRoofline)) {
    CHECK(prediction.metric.timed());
    if (prediction.metric.key != "duration_ms") continue;
    found = true;
    CHECK(prediction.measured == 15);
    CHECK(prediction.predicted == Approx(53));
    CHECK(prediction.error_percent() == Approx(100.0 * (53 - 15) / 15));
  }
  CHECK(found);
}
