/// @file
/// Workloads from a seed: the same everywhere, with the distributions that were asked for.
#include "stages/core/workload.h"

#include <cmath>
#include <functional>

#include "stages/core/random_stream.h"
#include "tests/catch.h"
#include "tests/scheduler/toy_engine.h"

namespace stagecraft {
namespace {

struct Moments {
  double mean = 0, cv = 0;
};

Moments moments_of(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / double(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / double(values.size())) / mean};
}

bool near(double value, double expected, double relative) { return std::abs(value / expected - 1) < relative; }

std::vector<double> gaps_of(const Workload& workload) {
  std::vector<double> gaps;
  int64_t previous = 0;
  for (const WorkloadRequest& request : workload.requests) {
    gaps.push_back(double(request.arrival_ns - previous));
    previous = request.arrival_ns;
  }
  return gaps;
}

constexpr int64_t kMany = 100'000;

TEST_CASE("random numbers: the same bits on every machine", "[random][golden]") {
  RandomStream random(42, 7);
  CHECK(random.word() == 0x67EE6F2Cu);
  CHECK(bits_of(random.normal()) == 0x3F696188u);                 // 0.911644
  CHECK(bits_of(random.gamma(0.5f)) == 0x3E8D55F9u);              // 0.276047
  CHECK(bits_of(random.lognormal(100.0f, 1.5f)) == 0x422837E2u);  // 42.0546
}

TEST_CASE("random streams of another seed or name are other numbers", "[random]") {
  CHECK(RandomStream(1, 1).word() != RandomStream(1, 2).word());
  CHECK(RandomStream(1, 1).word() != RandomStream(2, 1).word());
  CHECK(RandomStream(1, 1).word() != RandomStream(1, 1 + (uint64_t{1} << 32)).word());
}

TEST_CASE("normal numbers have mean 0, variance 1, and tails", "[random]") {
  RandomStream random(5, 0);
  double sum = 0, squares = 0;
  int beyond_two = 0;
  for (int64_t i = 0; i < kMany; ++i) {
    const double x = double(random.normal());
    sum += x, squares += x * x;
    beyond_two += std::abs(x) > 2 ? 1 : 0;
  }
  CHECK(std::abs(sum / kMany) < 0.01);
  CHECK(near(squares / kMany, 1, 0.02));
  CHECK(near(beyond_two / double(kMany), 0.0455, 0.05));
}

TEST_CASE("arrivals: mean gap 1 / rate, CV 1 / sqrt(burstiness); 1 is a Poisson process", "[workload]") {
  const double burstiness = GENERATE(0.1, 0.25, 1.0, 4.0, 100.0);
  const Workload workload =
      generate_workload({.requests = kMany, .arrivals = {.per_second = 50, .burstiness = burstiness}, .seed = 9});
  const Moments gaps = moments_of(gaps_of(workload));
  INFO("burstiness " << burstiness << ": mean " << gaps.mean << " ns, CV " << gaps.cv);
  CHECK(near(gaps.mean, 1e9 / 50, 0.03));
  CHECK(near(gaps.cv, 1 / std::sqrt(burstiness), 0.03));
}

TEST_CASE("lengths: the mean and CV that were asked for", "[workload]") {
  const double cv = GENERATE(0.3, 0.68, 1.5);
  const Workload workload =
      generate_workload({.requests = kMany, .prompt = {.mean = 1000, .cv = cv}, .output = {.mean = 200, .cv = cv}});
  std::vector<double> prompts, outputs;
  for (const WorkloadRequest& request : workload.requests) {
    prompts.push_back(double(request.prompt_tokens));
    outputs.push_back(double(request.output_tokens));
  }
  CHECK(near(moments_of(prompts).mean, 1000, 0.02));
  CHECK(near(moments_of(prompts).cv, cv, 0.05));
  CHECK(near(moments_of(outputs).mean, 200, 0.02));
  CHECK(near(moments_of(outputs).cv, cv, 0.05));
}

TEST_CASE("CV 0 makes all lengths equal, exactly; limits are kept", "[workload]") {
  const Workload equal = generate_workload({.requests = 100, .prompt = {.mean = 100'000'007}, .output = {.mean = 1}});
  for (const WorkloadRequest& request : equal.requests) {
    CHECK(request.prompt_tokens == 100'000'007);
    CHECK(request.output_tokens == 1);
    CHECK(request.arrival_ns == 0);
  }
  const Workload cut = generate_workload(
      {.requests = 1000, .prompt = {.mean = 4, .cv = 3, .longest = 9}, .output = {.mean = 4, .cv = 3, .longest = 2}});
  for (const WorkloadRequest& request : cut.requests) {
    CHECK((request.prompt_tokens >= 1 && request.prompt_tokens <= 9));
    CHECK((request.output_tokens >= 1 && request.output_tokens <= 2));
  }
}

TEST_CASE("a seed means one workload, and changing one quantity leaves the others alone", "[workload]") {
  WorkloadSpec spec = {.requests = 50,
                       .arrivals = {.per_second = 10},
                       .prompt = {.mean = 50, .cv = 1},
                       .output = {.mean = 50, .cv = 1},
                       .seed = 4};
  const Workload first = generate_workload(spec), again = generate_workload(spec);
  spec.output.mean = 500;
  const Workload longer = generate_workload(spec);
  spec.seed = 5;
  const Workload other = generate_workload(spec);
  bool outputs_differ = false, prompts_differ = false;
  for (size_t i = 0; i < first.requests.size(); ++i) {
    const WorkloadRequest &a = first.requests[i], &b = again.requests[i], &c = longer.requests[i];
    CHECK((a.arrival_ns == b.arrival_ns && a.prompt_tokens == b.prompt_tokens && a.output_tokens == b.output_tokens));
    CHECK((a.arrival_ns == c.arrival_ns && a.prompt_tokens == c.prompt_tokens));
    outputs_differ = outputs_differ || a.output_tokens != c.output_tokens;
    prompts_differ = prompts_differ || a.prompt_tokens != other.requests[i].prompt_tokens;
  }
  CHECK(outputs_differ);
  CHECK(prompts_differ);
  CHECK_NOTHROW(validate(first));
}

TEST_CASE("shared prefixes: prompts of one prefix begin with the same ids and end with their own", "[workload]") {
  constexpr TokenId kVocabulary = 50'000;
  constexpr size_t kShared = 20;
  const Workload workload = generate_workload(
      {.requests = 30, .prompt = {.mean = 10}, .prefixes = 3, .prefix_tokens = int64_t(kShared), .seed = 1});
  size_t pairs = 0;
  for (size_t i = 0; i < workload.requests.size(); ++i) {
    const std::vector<TokenId> a = prompt_ids(workload, i, kVocabulary);
    REQUIRE(a.size() == kShared + 10);
    for (const TokenId id : a) CHECK((id >= 0 && id < kVocabulary));
    for (size_t j = 0; j < i; ++j) {
      const std::vector<TokenId> b = prompt_ids(workload, j, kVocabulary);
      const bool same = workload.requests[i].prefix[0].content == workload.requests[j].prefix[0].content;
      pairs += same ? 1 : 0;
      CHECK(std::equal(a.begin(), a.begin() + kShared, b.begin()) == same);
      CHECK_FALSE(std::equal(a.begin() + kShared, a.end(), b.begin() + kShared));
    }
  }
  CHECK(pairs > 0);
  CHECK(prompt_ids(workload, 3, kVocabulary) == prompt_ids(workload, 3, kVocabulary));
}

TEST_CASE("a spec that makes no sense is refused by the name of its field", "[workload]") {
  const auto complaint = [](const std::function<void(WorkloadSpec&)>& change) {
    WorkloadSpec spec;
    change(spec);
    return complaint_of([&] { generate_workload(spec); });
  };
  CHECK(complaint([](WorkloadSpec&) {}).empty());
  CHECK(contains(complaint([](WorkloadSpec& s) { s.requests = 0; }), "workload: requests is 0"));
  CHECK(contains(complaint([](WorkloadSpec& s) { s.arrivals.per_second = -1; }), "arrivals per second is -1"));
  CHECK(contains(complaint([](WorkloadSpec& s) { s.arrivals.per_second = 1e-300; }), "arrivals per second is 1e-300"));
  CHECK(contains(complaint([](WorkloadSpec& s) { s.arrivals.per_second = NAN; }), "arrivals per second is nan"));
  CHECK(contains(complaint([](WorkloadSpec& s) { s.arrivals.burstiness = 0; }), "burstiness is 0"));
  CHECK(contains(complaint([](WorkloadSpec& s) { s.prompt.mean = 0; }), "prompt mean is 0"));
  CHECK(contains(complaint([](WorkloadSpec& s) { s.output.mean = NAN; }), "output mean is nan"));
  CHECK(contains(complaint([](WorkloadSpec& s) { s.output.cv = -0.5; }), "output cv is -0.5"));
  CHECK(contains(complaint([](WorkloadSpec& s) { s.prompt.longest = 0; }), "longest prompt is 0"));
  CHECK(contains(complaint([](WorkloadSpec& s) { s.prefixes = -1; }), "prefixes is -1"));
  CHECK(contains(complaint([](WorkloadSpec& s) { s.prefix_tokens = -1; }), "prefix tokens is -1"));
}

TEST_CASE("a workload whose requests make no sense is refused by the request", "[workload]") {
  const auto complaint = [](const WorkloadRequest& request) {
    return complaint_of([&] { validate({"mine", {{.arrival_ns = 10}, request}}); });
  };
  CHECK(complaint({.arrival_ns = 10}).empty());
  CHECK(contains(complaint({.arrival_ns = -1}), "mine, request 1: it arrives 1 ns before the start"));
  CHECK(contains(complaint({.arrival_ns = 9}), "it arrives at 9 ns, before the one in front of it at 10 ns"));
  CHECK(contains(complaint({.arrival_ns = 10, .prompt_tokens = 0}), "its prompt has 0 tokens"));
  CHECK(contains(complaint({.arrival_ns = 10, .output_tokens = 0}), "it asks for 0 tokens"));
  CHECK(contains(complaint({.arrival_ns = 10, .prompt_tokens = 5, .prefix = {{1, 4}, {2, 2}}}), "prefix of 6 tokens"));
}

}  // namespace
}  // namespace stagecraft
