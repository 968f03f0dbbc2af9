/// @file
/// The definitions of stages/core/metrics.h, each on numbers worked out by hand.
#include "stages/core/metrics.h"

#include <vector>

#include "tests/catch.h"
#include "tests/core/run_records.h"

using namespace stagecraft;
using namespace stagecraft::testing;

TEST_CASE("chunks of 1, 2, 2 tokens at 0, 40, 80 ms have an ITL of 40 ms and a TPOT of 20 ms", "[metrics]") {
  const RequestMetrics metrics = request_metrics(request_with_chunks(0, 3, 0, {{0, 1}, {40, 2}, {80, 2}}));
  CHECK(metrics.itl_ms == std::vector<double>{40, 40});
  CHECK(metrics.tpot_ms == 20.0);
}

TEST_CASE("queue time, TTFT and E2E count from the arrival, not from the schedule", "[metrics]") {
  RequestRecord request = request_with_chunks(0, 3, 7, {{12, 1}, {19, 1}});
  request.arrival = at_ms(2);
  const RequestMetrics metrics = request_metrics(request);
  CHECK(metrics.queue_ms == 5.0);
  CHECK(metrics.ttft_ms == 10.0);
  CHECK(metrics.e2e_ms == 17.0);
}

TEST_CASE("one output token has a TTFT but no TPOT and no ITL", "[metrics]") {
  const RequestMetrics metrics = request_metrics(request_with_chunks(0, 3, 1, {{5, 1}}));
  CHECK(metrics.ttft_ms == 5.0);
  CHECK(metrics.e2e_ms == 5.0);
  CHECK_FALSE(metrics.tpot_ms);
  CHECK(metrics.itl_ms.empty());
}

TEST_CASE("several tokens in a single chunk took no time one after the other", "[metrics]") {
  CHECK(request_metrics(request_with_chunks(0, 3, 1, {{5, 4}})).tpot_ms == 0.0);
}

TEST_CASE("a request that was never scheduled has no times at all", "[metrics]") {
  RequestRecord request = request_with_chunks(0, 3, 0, {});
  request.scheduled.reset();
  const RequestMetrics metrics = request_metrics(request);
  CHECK_FALSE((metrics.queue_ms || metrics.ttft_ms || metrics.tpot_ms || metrics.e2e_ms));
}

TEST_CASE("ITL is pooled over requests: a slow request does not count more than its gaps", "[metrics]") {
  const LatencySummary latency = latency_summary({request_with_chunks(0, 3, 0, {{0, 1}, {10, 1}, {20, 1}, {30, 1}}),
                                                  request_with_chunks(1, 3, 0, {{0, 1}, {50, 1}})});
  REQUIRE(latency.itl);
  CHECK(latency.itl->count == 4);
  CHECK(latency.itl->mean == Approx(20.0));  // not 30, the mean of the requests' means
  CHECK(latency.ttft->count == 2);
}

TEST_CASE("percentiles interpolate between the two nearest values", "[metrics]") {
  const std::vector<double> values{1, 2, 3, 4};
  CHECK(percentile(values, 0) == 1.0);
  CHECK(percentile(values, 50) == Approx(2.5));
  CHECK(percentile(values, 90) == Approx(3.7));
  CHECK(percentile(values, 99) == Approx(3.97));
  CHECK(percentile(values, 100) == 4.0);
  CHECK(percentile({8}, 99) == 8.0);
}

TEST_CASE("a summary does not depend on the order of its values, and nothing has no summary", "[metrics]") {
  const std::optional<Summary> summary = summarize({4, 1, 3, 2});
  REQUIRE(summary);
  CHECK(summary->mean == Approx(2.5));
  CHECK(summary->p90 == Approx(3.7));
  CHECK_FALSE(summarize({}));
}

TEST_CASE("p99 is reliable from 1,000 values on", "[metrics]") {
  CHECK_FALSE(summarize(std::vector<double>(999, 1.0))->p99_reliable());
  CHECK(summarize(std::vector<double>(1000, 1.0))->p99_reliable());
}

TEST_CASE("work is the sum over passes: tokens, recomputed tokens, weights once a pass, K/V of every request",
          "[metrics]") {
  const std::vector<StepRecord> steps{step_between(0, 4, {{0, 5, 0, 5}, {1, 3, 0, 3}}),
                                      step_between(5, 9, {{0, 6, 5, 6}, {1, 1, 0, 4}})};
  const Counts counts = count_work(steps, {/*weight bytes*/ 1000, kRecordedKvBytesPerToken});
  CHECK(counts.forward_passes == 2);
  CHECK(counts.tokens_forwarded == 15);
  CHECK(counts.tokens_recomputed == 5);
  CHECK(counts.weight_bytes_read == 2000);
  CHECK(counts.kv_bytes_read == (5 + 3 + 6 + 4) * 10);
  CHECK(counts.kv_bytes_used_peak == (6 + 4) * 10);
  CHECK(counts.kv_bytes_reserved_peak == kRecordedKvBytesHeld);
  CHECK_FALSE((counts.padded_tokens || counts.drafted || counts.accepted || counts.target_passes));
}

namespace {

RunLog log_of_two_requests() {
  RunLog log;
  log.start = at_ms(0);
  log.end = at_ms(2000);
  log.requests = {request_with_chunks(0, 10, 0, {{100, 1}, {200, 1}, {300, 1}, {400, 1}}),
                  request_with_chunks(1, 20, 500, {{600, 1}, {700, 1}})};
  log.steps = {step_between(0, 500, {{0, 10, 0, 10}}), step_between(500, 1000, {{1, 20, 0, 20}})};
  return log;
}

}  // namespace

TEST_CASE("throughput divides by the duration of the run; cancelled requests do not count as requests", "[metrics]") {
  RunLog log = log_of_two_requests();
  Totals totals = totals_of(log, {}, 0, {});
  CHECK(totals.output_tokens == 6);
  CHECK(totals.output_tokens_per_s == Approx(3.0));
  CHECK(totals.total_tokens_per_s == Approx(18.0));
  CHECK(totals.requests_per_s == Approx(1.0));

  log.requests[1].finish_reason = FinishReason::cancelled;
  CHECK(totals_of(log, {}, 0, {}).requests_per_s == Approx(0.5));
}

TEST_CASE("MBU and MFU are shares of measured limits, and absent where nothing was measured", "[metrics]") {
  const RunLog log = log_of_two_requests();  // one second in forward passes
  Counts counts;
  counts.weight_bytes_read = 3'000'000'000;
  counts.kv_bytes_read = 1'000'000'000;
  counts.tokens_forwarded = 100;
  CHECK_FALSE(totals_of(log, counts, 1'000'000, {}).mbu);
  CHECK_FALSE(totals_of(log, counts, 1'000'000, {}).mfu);

  const Totals totals = totals_of(log, counts, 1'000'000, {/*GB/s*/ 8.0, /*GFLOP/s*/ 4.0});
  CHECK(*totals.mbu == Approx(0.5));
  CHECK(*totals.mfu == Approx(0.05));
  CHECK_FALSE(totals_of({}, counts, 1'000'000, {8.0, 4.0}).mbu);  // no pass was made
}

TEST_CASE("a pass's time goes to prompt, new and recomputed tokens by their share of its rows", "[metrics]") {
  RunLog log;
  log.requests = {request_with_chunks(0, 4, 0, {{8, 1}, {20, 1}})};
  log.steps = {step_between(0, 8, {{0, 4, 0, 4}}), step_between(10, 20, {{0, 5, 4, 5}})};
  const ForwardTime time = forward_time(log);
  CHECK(time.prompt_ms == Approx(8.0));
  CHECK(time.new_ms == Approx(2.0));
  CHECK(time.recomputed_ms == Approx(8.0));
  CHECK(time.total_ms() == Approx(18.0));
}
