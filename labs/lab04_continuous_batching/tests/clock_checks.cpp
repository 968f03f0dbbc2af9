/// @file
/// Lab 4, task 3 and the questions: the stage's simulation of the same workload on the same virtual clock knows every time.
#include "labs/lab04_continuous_batching/tests/describe.h"
#include "labs/support/check.h"
#include "stages/4_continuous_batching/simulation.h"
#include "stages/core/virtual_clock.h"

namespace {

using namespace lab04;
using stagecraft::labs::Check;
using Times = std::vector<Integers>;  // of each request's tokens

constexpr int64_t kMicrosecond = 1000, kMillisecond = 1000 * kMicrosecond;
constexpr int64_t kManyTokens = 1 << 20;
const Cost kCost{200 * kMicrosecond, 800 * kMicrosecond, 20 * kMicrosecond};

Times serve(Check& check, const std::vector<Arrival>& arrivals, const Limits& limits, const Cost& cost) {
  check.input("{}", described(arrivals));
  check.step("serve: budget {}, {} places, chunks of {}, {} overtakes; a step takes {} + max({}, {} a token) ns",
             limits.budget, limits.max_running, limits.max_chunk, limits.max_overtakes, cost.overhead_ns,
             cost.weights_ns, cost.token_ns);
  Integers at, prompts, outputs;
  for (const Arrival& arrival : arrivals) {
    at.push_back(arrival.at_ns);
    prompts.push_back(arrival.prompt);
    outputs.push_back(arrival.output);
  }
  const Message answer =
      check.call(Message("serve")
                     .set("at_ns", at)
                     .set("prompts", prompts)
                     .set("outputs", outputs)
                     .set("limits", Integers{limits.budget, limits.max_running, limits.max_chunk, limits.max_overtakes})
                     .set("cost", Integers{cost.overhead_ns, cost.weights_ns, cost.token_ns}));
  check.expect_equal("tokens of each request", outputs, answer.integers("counts"));
  Times times;
  auto next = answer.integers("times").begin();
  for (const int64_t count : outputs) {
    times.emplace_back(next, next + count);
    next += count;
  }
  return times;
}

Times expected_times(const std::vector<Arrival>& arrivals, const Limits& limits, const Cost& cost) {
  stagecraft::Workload workload;
  for (const Arrival& arrival : arrivals) workload.requests.push_back({arrival.at_ns, arrival.prompt, arrival.output});
  stagecraft::SimulationOptions options;
  options.cost.overhead_ns = cost.overhead_ns;
  options.cost.weight_bytes = cost.weights_ns;  // at a byte a nanosecond
  options.cost.flop_per_token = cost.token_ns;  // likewise
  options.scheduler = {stagecraft::Policy::shortest_prompt_first, int(limits.max_running), limits.max_chunk,
                       limits.max_overtakes};
  options.step_tokens = limits.budget;
  Times times;
  for (const stagecraft::RequestRecord& record : simulate(workload, options).log.requests) {
    times.emplace_back();
    for (const stagecraft::Chunk& chunk : record.chunks) {
      times.back().push_back(stagecraft::VirtualClock::nanoseconds(chunk.at));
    }
  }
  return times;
}

int64_t below(Check& check, int64_t bound) { return check.random().below(uint32_t(bound)); }

/// Bursts, pauses, and arrivals in the very nanosecond in which a step ends.
std::vector<Arrival> random_arrivals(Check& check, int64_t count) {
  constexpr int64_t kLongestPrompt = 120, kLongestOutput = 15;
  std::vector<Arrival> arrivals;
  int64_t now = 0;
  for (int64_t i = 0; i < count; ++i) {
    switch (below(check, 4)) {
      case 0:
        break;  // with the one before
      case 1:
        now += below(check, 3 * kMillisecond);
        break;
      case 2:
        now = (now / kMillisecond + 1) * kMillisecond;
        break;
      default:
        now += 20 * kMillisecond * below(check, 3);
    }
    arrivals.push_back({now, 1 + below(check, kLongestPrompt), 1 + below(check, kLongestOutput)});
  }
  return arrivals;
}

Integers ttft(const std::vector<Arrival>& arrivals, const Times& times) {
  Integers all;
  for (size_t i = 0; i < times.size(); ++i) all.push_back(times[i].at(0) - arrivals[i].at_ns);
  return all;
}

/// All gaps of all requests, one after the other.
Integers gaps(const Times& times) {
  Integers all;
  for (const Integers& tokens : times) {
    for (size_t i = 1; i < tokens.size(); ++i) all.push_back(tokens[i] - tokens[i - 1]);
  }
  return all;
}

int64_t next_waiting(Check& check, const std::vector<Request>& waiting, int64_t max_overtakes) {
  check.input("waiting: {}", listed(waiting, [](const Request& r) {
                return fmt::format("prompt {}, overtaken {}", r.prompt, r.overtaken);
              }));
  check.step("next_waiting(waiting, {})", max_overtakes);
  const Message answer =
      check.call(Message("next_waiting").set("waiting", flat(waiting)).set("max_overtakes", max_overtakes));
  return answer.integer("next");
}

}  // namespace

LAB_CHECK("lab04.t3.c1") {
  for (const int64_t count : check.sizes({1, 2, 5, 33})) {
    for (const int64_t max_overtakes : {0, 3, 6, 100}) {
      for (int round = 0; round < 4; ++round) {
        std::vector<Request> waiting;
        for (int64_t i = 0; i < count; ++i) {
          // Few different prompts, so that there are equals.
          const int64_t prompt = 5 + below(check, count / 2 + 1);
          waiting.push_back({.id = 50 + i, .prompt = prompt, .known = prompt, .overtaken = below(check, 6)});
        }
        int64_t expected = -1;
        for (int64_t i = 0; i < count && expected < 0; ++i) {
          if (waiting[size_t(i)].overtaken >= max_overtakes) expected = i;
        }
        if (expected < 0) {
          expected = 0;
          for (int64_t i = 1; i < count; ++i) {
            if (waiting[size_t(i)].prompt < waiting[size_t(expected)].prompt) expected = i;
          }
        }
        check.expect_equal("next", expected, next_waiting(check, waiting, max_overtakes));
      }
    }
  }
}

LAB_CHECK("lab04.t3.c2") {
  for (const int64_t count : check.sizes({1, 2, 12, 33})) {
    for (const int64_t budget : {int64_t{16}, int64_t{64}, kManyTokens}) {
      const std::vector<Arrival> arrivals = random_arrivals(check, count);
      const Limits limits{budget, 8, kManyTokens, 0};
      const Times times = serve(check, arrivals, limits, kCost);
      check.expect_equal("TTFT, ns", ttft(arrivals, expected_times(arrivals, limits, kCost)), ttft(arrivals, times));
    }
  }
}

LAB_CHECK("lab04.t3.c3") {
  for (const int64_t count : check.sizes({2, 12, 33})) {
    for (int round = 0; round < 6; ++round) {
      const std::vector<Arrival> arrivals = random_arrivals(check, count);
      const Limits limits{1 + below(check, 80), 1 + below(check, 9), 1 + below(check, 40), below(check, 6)};
      const Times times = serve(check, arrivals, limits, kCost), expected = expected_times(arrivals, limits, kCost);
      check.expect_equal("gaps, ns", gaps(expected), gaps(times));
      check.expect_equal("TTFT, ns", ttft(arrivals, expected), ttft(arrivals, times));
    }
  }
}

LAB_CHECK("lab04.t3.c4") {
  constexpr int64_t kShort = 60, kPlaces = 2, kLongPrompt = 300;
  for (const int64_t max_overtakes : {1, 5, 20}) {
    // Both places are taken when the long one comes; then short ones, faster than they can be served.
    std::vector<Arrival> arrivals(size_t(kPlaces), Arrival{0, 3, 4});
    arrivals.push_back({1, kLongPrompt, 2});
    for (int64_t i = 0; i < kShort; ++i) arrivals.push_back({2 + i * kMillisecond / 2, 1 + below(check, 9), 3});
    const Limits limits{32, kPlaces, 32, max_overtakes};
    const Times times = serve(check, arrivals, limits, kCost);
    const size_t long_one = size_t(kPlaces);
    int64_t before = 0;
    for (size_t i = long_one + 1; i < times.size(); ++i) before += times[i][0] < times[long_one][0];
    // While it is computed in chunks, the other place serves on.
    const Times expected = expected_times(arrivals, limits, kCost);
    int64_t most = 0;
    for (size_t i = long_one + 1; i < expected.size(); ++i) most += expected[i][0] < expected[long_one][0];
    check.step("{} short requests get their first token before the long one, which came first", before);
    check.expect_at_most("short requests before it", most, before);
    check.expect_equal("TTFT, ns", ttft(arrivals, expected), ttft(arrivals, times));
  }
}

namespace {

/// Seven or eight that write, and a long prompt that comes as a step ends.
struct Stall {
  double ttft_ms, worst_gap_ms;
};

Stall stall(Check& check, int64_t writers, int64_t prompt, int64_t budget, const Cost& cost) {
  constexpr int64_t kWritten = 100, kStepsBefore = 10;
  std::vector<Arrival> arrivals(size_t(writers), Arrival{0, 1, kWritten});
  arrivals.push_back({kStepsBefore * cost.step_ns(writers), prompt, 1});
  const Times times = serve(check, arrivals, {budget, writers + 1, budget, 0}, cost);
  const Integers all = gaps({times.begin(), times.end() - 1});
  const int64_t first = times.back().at(0) - arrivals.back().at_ns;
  return {double(first) / double(kMillisecond),
          double(*std::max_element(all.begin(), all.end())) / double(kMillisecond)};
}

const Cost kAStepAMillisecond{kMillisecond, 0, 0};

}  // namespace

LAB_QUESTION("lab04.q1") { return stall(check, 7, 100, 32, kAStepAMillisecond).ttft_ms; }

LAB_QUESTION("lab04.q2") { return stall(check, 8, 500, kManyTokens, kCost).worst_gap_ms; }

LAB_QUESTION("lab04.q3") {
  return stall(check, 8, 500, 64, kCost).ttft_ms / stall(check, 8, 500, kManyTokens, kCost).ttft_ms;
}

LAB_QUESTION("lab04.q4") {
  std::vector<Arrival> arrivals;
  for (const int64_t output : {10, 20, 30, 100, 10, 20, 30, 100}) arrivals.push_back({0, 1, output});
  const Times times = serve(check, arrivals, {kManyTokens, 4, kManyTokens, 0}, kAStepAMillisecond);
  int64_t last = 0;
  for (const Integers& tokens : times) last = std::max(last, tokens.back());
  return double(last) / double(kMillisecond);
}
