/// @file
/// Schedules on the virtual clock: goldens worked out by hand, controls whose answer is known in advance, and the
/// figures of the public traces.
#include "stages/4_continuous_batching/simulation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>

#include <fmt/format.h>

#include "stages/core/counting_laws.h"
#include "stages/core/virtual_clock.h"
#include "stages/core/workload_reader.h"
#include "tests/catch.h"
#include "tests/scheduler/toy_engine.h"

namespace stagecraft {
namespace {

const std::filesystem::path kTraces = std::filesystem::path(STAGECRAFT_SOURCE_DIR) / "workloads";

// Ten nanoseconds a step and one more for each token.
constexpr CostModel kTenAndOne = {.overhead_ns = 10, .flop_per_token = 1};

Workload all_at_once(std::initializer_list<std::pair<int64_t, int64_t>> lengths) {
  Workload workload{"test", {}};
  for (const auto& [prompt, output] : lengths) {
    workload.requests.push_back({.prompt_tokens = prompt, .output_tokens = output});
  }
  return workload;
}

SimulationOptions options_of(BatchingKind kind, int max_running, CostModel cost = CostModel::constant_step(1)) {
  SimulationOptions options;
  options.kind = kind;
  options.cost = cost;
  options.scheduler.max_running = max_running;
  return options;
}

// When each token of each request came, in ns.
std::vector<std::vector<int64_t>> token_times(const SimulationResult& result) {
  std::vector<std::vector<int64_t>> times;
  for (const RequestRecord& request : result.log.requests) {
    times.emplace_back();
    for (const Chunk& chunk : request.chunks) times.back().push_back(VirtualClock::nanoseconds(chunk.at));
  }
  return times;
}

std::vector<int64_t> scheduled_times(const SimulationResult& result) {
  std::vector<int64_t> times;
  for (const RequestRecord& request : result.log.requests) {
    times.push_back(VirtualClock::nanoseconds(request.scheduled.value()));
  }
  return times;
}

using Times = std::vector<std::vector<int64_t>>;

// A: arrives at 0, prompt 6, output 3. B: arrives at 5, prompt 4, output 2.
Workload two_requests() {
  Workload workload = all_at_once({{6, 3}, {4, 2}});
  workload.requests[1].arrival_ns = 5;
  return workload;
}

TEST_CASE("golden: continuous batching of two requests under a budget of four tokens", "[simulation][golden]") {
  // step   from  A computes   B computes    takes         to   token of
  //  1       0   0..3         (not here)    10 + 4        14
  //  2      14   4..5         0..1          10 + 4        28   A
  //  3      28   6            2..3          10 + 3        41   A, B
  //  4      41   7            4             10 + 2        53   A, B: both have ended
  SimulationOptions options = options_of(BatchingKind::continuous, 2, kTenAndOne);
  options.step_tokens = 4;
  const SimulationResult result = simulate(two_requests(), options);
  CHECK(token_times(result) == Times{{28, 41, 53}, {41, 53}});
  CHECK(scheduled_times(result) == std::vector<int64_t>{0, 14});  // B has waited 9 ns
  CHECK(result.steps() == 4);
  CHECK(result.duration_ns() == 53);
  CHECK(result.padded_slots == 0);
}

TEST_CASE("golden: lock step of the same two requests", "[simulation][golden]") {
  // A goes alone, since B is not there yet: 10 + 6, 10 + 1, 10 + 1. B has to wait for its end at 38: 10 + 4, 10 + 1.
  const SimulationResult result = simulate(two_requests(), options_of(BatchingKind::lock_step, 2, kTenAndOne));
  CHECK(token_times(result) == Times{{16, 27, 38}, {52, 63}});
  CHECK(scheduled_times(result) == std::vector<int64_t>{0, 38});
}

TEST_CASE("golden: a batch in lock step is held by its longest, and the empty slots are counted",
          "[simulation][golden]") {
  // Outputs 5, 1, 2: steps 1..5 have 3, 2, 1, 1, 1 of 3 slots in use. The fourth request waits for all of them.
  const SimulationResult result =
      simulate(all_at_once({{7, 5}, {7, 1}, {7, 2}, {7, 1}}), options_of(BatchingKind::lock_step, 3));
  CHECK(token_times(result) == Times{{1, 2, 3, 4, 5}, {1}, {1, 2}, {6}});
  CHECK(result.padded_slots == 0 + 1 + 2 + 2 + 2);
  const std::vector<int64_t> outputs = {5, 1, 2};
  CHECK(double(result.padded_slots) / (3 * 5) == static_padding_share(outputs));
}

TEST_CASE("golden: shortest-prompt-first moves the wait from the short to the long", "[simulation][golden]") {
  // One at a time, one token each: a step of n tokens takes 10 + n.
  const Workload workload = all_at_once({{30, 1}, {5, 1}, {2, 1}});
  SimulationOptions options = options_of(BatchingKind::continuous, 1, kTenAndOne);
  CHECK(token_times(simulate(workload, options)) == Times{{40}, {55}, {67}});  // mean 54
  options.scheduler.policy = Policy::shortest_prompt_first;
  CHECK(token_times(simulate(workload, options)) == Times{{67}, {27}, {12}});  // mean 35 1/3
}

TEST_CASE("golden: the clock jumps over the time in which nobody is there", "[simulation][golden]") {
  Workload workload = all_at_once({{1, 1}, {1, 1}});
  workload.requests[0].arrival_ns = 1'000;
  workload.requests[1].arrival_ns = 5'000'000'000'000;
  const auto kind = GENERATE(BatchingKind::lock_step, BatchingKind::continuous);
  const SimulationResult result = simulate(workload, options_of(kind, 1, kTenAndOne));
  CHECK(token_times(result) == Times{{1'011}, {5'000'000'000'011}});
  CHECK(result.steps() == 2);
}

TEST_CASE("control: equal lengths make continuous the same as lock step, to the nanosecond", "[simulation][control]") {
  const int batch = GENERATE(1, 3, 4, 16);
  Workload workload{"equal", {}};
  for (int i = 0; i < 3 * batch + 1; ++i) workload.requests.push_back({.prompt_tokens = 17, .output_tokens = 9});
  const CostModel roofline = {.overhead_ns = 7,
                              .weight_bytes = 1000,
                              .kv_bytes_per_token = 10,
                              .bytes_per_ns = 3,
                              .flop_per_token = 50,
                              .flop_per_ns = 2};
  const SimulationResult lock_step = simulate(workload, options_of(BatchingKind::lock_step, batch, roofline));
  const SimulationResult continuous = simulate(workload, options_of(BatchingKind::continuous, batch, roofline));
  CHECK(token_times(continuous) == token_times(lock_step));
  CHECK(continuous.steps() == lock_step.steps());
  CHECK(lock_step.padded_slots == 0);
}

TEST_CASE("control of the control: one longer output, and lock step is slower", "[simulation][control]") {
  Workload workload = all_at_once({{17, 9}, {17, 10}, {17, 9}});
  CHECK(simulate(workload, options_of(BatchingKind::lock_step, 2)).steps() == 10 + 9);
  CHECK(simulate(workload, options_of(BatchingKind::continuous, 2)).steps() == 9 + 9);
}

// Prefill-first without chunks, written anew: newcomers compute their whole prompt in the step in which they are let
// in.
Times prefill_first(const Workload& workload, size_t max_running) {
  Times times(workload.requests.size());
  std::vector<size_t> running;
  size_t next = 0;
  for (int64_t now = 0; next < times.size() || !running.empty();) {
    int64_t tokens = int64_t(running.size());
    if (running.empty()) now = std::max(now, workload.requests[next].arrival_ns);
    for (; running.size() < max_running && next < times.size() && workload.requests[next].arrival_ns <= now; ++next) {
      tokens += workload.requests[next].prompt_tokens;
      running.push_back(next);
    }
    now += kTenAndOne.overhead_ns + tokens;
    for (const size_t i : running) times[i].push_back(now);
    const auto ended = [&](size_t i) { return int64_t(times[i].size()) == workload.requests[i].output_tokens; };
    running.erase(std::remove_if(running.begin(), running.end(), ended), running.end());
  }
  return times;
}

TEST_CASE("control: a chunk as long as the longest prompt makes chunked the same as prefill-first",
          "[simulation][control]") {
  Workload workload = generate_workload({.requests = 300,
                                         .arrivals = {.per_second = 2e6, .burstiness = 0.5},
                                         .prompt = {.mean = 40, .cv = 1},
                                         .output = {.mean = 10, .cv = 1}});
  int64_t longest = 0;
  for (const WorkloadRequest& request : workload.requests) longest = std::max(longest, request.prompt_tokens);
  SimulationOptions options = options_of(BatchingKind::continuous, 8, kTenAndOne);
  options.scheduler.max_chunk = longest;
  CHECK(token_times(simulate(workload, options)) == prefill_first(workload, 8));
  options.scheduler.max_chunk = longest - 1;  // one token less, and they differ
  CHECK(token_times(simulate(workload, options)) != prefill_first(workload, 8));
}

TEST_CASE("control: a queue with Poisson arrivals and equal service waits as long as the formula of M/D/1 says",
          "[simulation][control]") {
  // Mean wait = load x service / (2 (1 - load)); a load of one half gives half a service time.
  constexpr int64_t kService = 1'000'000;
  const double load = GENERATE(0.5, 0.8);
  const Workload workload =
      generate_workload({.requests = 200'000, .arrivals = {.per_second = load * 1e9 / double(kService)}, .seed = 3});
  const SimulationResult result =
      simulate(workload, options_of(BatchingKind::continuous, 1, CostModel::constant_step(kService)));
  double waited = 0;
  for (const RequestRecord& request : result.log.requests) {
    waited += double(VirtualClock::nanoseconds(*request.scheduled) - VirtualClock::nanoseconds(request.arrival));
  }
  const double mean = waited / double(workload.requests.size());
  // The first step of a lull begins with its arrival, so nothing is lost to the grid of steps.
  const double expected = load * double(kService) / (2 * (1 - load));
  CHECK(std::abs(mean / expected - 1) < 0.03);
}

// Steps by definition: a lock-step batch takes as many as its longest output; continuous batching gives each request,
// in order, to the slot that is free first.
int64_t lock_step_by_definition(const Workload& workload, size_t batch) {
  int64_t steps = 0;
  for (size_t i = 0; i < workload.requests.size(); i += batch) {
    int64_t longest = 0;
    for (size_t j = i; j < std::min(i + batch, workload.requests.size()); ++j) {
      longest = std::max(longest, workload.requests[j].output_tokens);
    }
    steps += longest;
  }
  return steps;
}

int64_t continuous_by_definition(const Workload& workload, size_t slots) {
  std::priority_queue<int64_t, std::vector<int64_t>, std::greater<>> free_at;
  for (size_t i = 0; i < slots; ++i) free_at.push(0);
  int64_t last = 0;
  for (const WorkloadRequest& request : workload.requests) {
    const int64_t end = free_at.top() + request.output_tokens;
    free_at.pop();
    free_at.push(end);
    last = std::max(last, end);
  }
  return last;
}

struct TraceFigures {
  const char* file;
  int batch;
  int64_t lock_step, continuous;  // steps
};

// Every step costs the same and all requests are there from the start: the most that continuous batching can gain. The
// first 4,000 rows of the whole traces give x1.65, 2.26, 2.78 (conversation) and x2.46, 8.04, 6.95 (code) at 4, 32,
// 128.
constexpr TraceFigures kFigures[] = {
    {"azure2023_conversation_1000.csv", 4, 101418, 61859},  // x1.640
    {"azure2023_conversation_1000.csv", 32, 16982, 8003},   // x2.122
    {"azure2023_conversation_1000.csv", 128, 5134, 2253},   // x2.279
    {"azure2023_code_1000.csv", 4, 17178, 7052},            // x2.436
    {"azure2023_code_1000.csv", 32, 8332, 1401},            // x5.947
    {"azure2023_code_1000.csv", 128, 3710, 947},            // x3.918
    {"sharegpt_8k_lengths_1000.csv", 32, 29571, 14617},     // x2.023
    {"mooncake_conversation_230.jsonl", 32, 5921, 3011},    // x1.966
};

TEST_CASE("continuous over lock step on the public traces: the simulation, the definition and the figures agree",
          "[simulation][golden]") {
  for (const TraceFigures& figures : kFigures) {
    INFO(figures.file << " at " << figures.batch);
    Workload workload = read_workload(kTraces / figures.file);
    set_arrivals(workload, {.per_second = ArrivalSpec::kAllAtOnce}, 0);
    const auto steps = [&](BatchingKind kind) { return simulate(workload, options_of(kind, figures.batch)).steps(); };
    CHECK(lock_step_by_definition(workload, size_t(figures.batch)) == figures.lock_step);
    CHECK(continuous_by_definition(workload, size_t(figures.batch)) == figures.continuous);
    CHECK(steps(BatchingKind::lock_step) == figures.lock_step);
    CHECK(steps(BatchingKind::continuous) == figures.continuous);
  }
}

// Llama 3 8B in bf16 on an A100: 16 GB of weights, 128 KiB of K/V a token; 80 % of 2.039 TB/s, 60 % of 312 TFLOP/s.
constexpr CostModel kLlama8bOnA100 = {.overhead_ns = 2'000'000,
                                      .weight_bytes = 16'060'000'000,
                                      .kv_bytes_per_token = 131'072,
                                      .bytes_per_ns = 1'631,
                                      .flop_per_token = 16'060'000'000,
                                      .flop_per_ns = 187'200};

struct Latency {
  int64_t worst_gap_ns = 0, median_ttft_ns = 0;
};

Latency latency_of(const SimulationResult& result) {
  Latency latency;
  std::vector<int64_t> ttft;
  for (const RequestRecord& request : result.log.requests) {
    ttft.push_back((request.chunks.front().at - request.arrival).count());
    for (size_t i = 1; i < request.chunks.size(); ++i) {
      latency.worst_gap_ns =
          std::max<int64_t>(latency.worst_gap_ns, (request.chunks[i].at - request.chunks[i - 1].at).count());
    }
  }
  std::nth_element(ttft.begin(), ttft.begin() + std::ptrdiff_t(ttft.size() / 2), ttft.end());
  latency.median_ttft_ns = ttft[ttft.size() / 2];
  return latency;
}

TEST_CASE("a loss shown: a token budget caps the worst gap between tokens, and raises the time to the first",
          "[simulation]") {
  const Workload workload = read_workload(kTraces / "azure2023_conversation_1000.csv");
  SimulationOptions options = options_of(BatchingKind::continuous, 128, kLlama8bOnA100);
  const Latency whole = latency_of(simulate(workload, options));
  options.step_tokens = 512;
  const Latency chunked = latency_of(simulate(workload, options));
  INFO(fmt::format("worst gap {} -> {} ns, median TTFT {} -> {} ns", whole.worst_gap_ns, chunked.worst_gap_ns,
                   whole.median_ttft_ns, chunked.median_ttft_ns));
  CHECK(chunked.worst_gap_ns * 5 < whole.worst_gap_ns);
  CHECK(chunked.median_ttft_ns > whole.median_ttft_ns);
}

TEST_CASE("one computes each token once, except the last: p + n - 1 a request", "[simulation]") {
  const auto kind = GENERATE(BatchingKind::lock_step, BatchingKind::continuous);
  const Workload workload =
      generate_workload({.requests = 50, .prompt = {.mean = 30, .cv = 1}, .output = {.mean = 9, .cv = 1}});
  std::vector<int64_t> rows(workload.requests.size(), 0);
  const SimulationResult result = simulate(workload, options_of(kind, 4));
  for (const StepRecord& step : result.log.steps) {
    for (const StepPart& part : step.parts) rows[size_t(part.request)] += part.rows;
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    const WorkloadRequest& asked = workload.requests[i];
    CHECK(rows[i] == cached_tokens_forwarded(asked.prompt_tokens, asked.output_tokens));
    CHECK(int64_t(result.log.requests[i].output_ids.size()) == asked.output_tokens);
  }
}

TEST_CASE("requests that can never fit are in the log as refused, and the others are served", "[simulation]") {
  const auto kind = GENERATE(BatchingKind::lock_step, BatchingKind::continuous);
  SimulationOptions options = options_of(kind, 2);
  options.kv_per_request = 10;
  const SimulationResult result = simulate(all_at_once({{9, 2}, {9, 3}, {1, 1}}), options);
  CHECK(result.log.requests[0].finish_reason == FinishReason::length);
  CHECK(result.log.requests[1].finish_reason == FinishReason::refused);
  CHECK(result.log.requests[1].chunks.empty());
  CHECK(result.log.requests[2].finish_reason == FinishReason::length);
}

TEST_CASE("a workload of refused requests only, or of none, ends at once", "[simulation]") {
  SimulationOptions options = options_of(BatchingKind::continuous, 2);
  options.kv_per_request = 1;
  CHECK(simulate(all_at_once({{9, 2}}), options).steps() == 0);
  CHECK(simulate(all_at_once({}), options).steps() == 0);
}

TEST_CASE("arrivals in the past, and options that make no sense, are refused", "[simulation]") {
  Workload workload = all_at_once({{1, 1}, {1, 1}});
  SimulationOptions options = options_of(BatchingKind::continuous, 1);
  options.step_tokens = 0;
  CHECK(contains(complaint_of([&] { simulate(workload, options); }), "a budget of 0 tokens"));
  options = options_of(BatchingKind::continuous, 0);
  CHECK(contains(complaint_of([&] { simulate(workload, options); }), "max running requests is 0"));
  options = options_of(BatchingKind::continuous, 1);
  options.cost.bytes_per_ns = 0;
  CHECK(contains(complaint_of([&] { simulate(workload, options); }),
                 "cost model: bytes_per_ns is 0 | 1 is the smallest"));
  options.cost = {};
  workload.requests[0].arrival_ns = -3;
  CHECK(contains(complaint_of([&] { simulate(workload, options); }),
                 "test, request 0: it arrives 3 ns before the start"));
  workload.requests[0].arrival_ns = 5;
  CHECK(contains(complaint_of([&] { simulate(workload, options); }),
                 "request 1: it arrives at 0 ns, before the one in front"));
}

}  // namespace
}  // namespace stagecraft
