/// @file
/// What levers do, by sign; and what API users pay.
#include <algorithm>

#include "stages/plan/api_cost.h"
#include "stages/plan/model_table.h"
#include "stages/plan/plan_report.h"
#include "tests/catch.h"

namespace stagecraft {
namespace {

Service service_of(const char* model, int64_t prompt, int64_t output) {
  Service service{{find_model(model)->shape, gpu_named("h100-sxm")}, {}, {}, {}};
  service.demand.prompt_tokens = prompt;
  service.demand.output_tokens = output;
  service.demand.longest = prompt + output;
  service.demand.slo = {2000, 40};
  return service;
}

class Levers {
 public:
  explicit Levers(const Service& service)
      : before_(evaluate(service)), service_(service), results_(pull_levers(service, {})) {}

  bool has(const std::string& name) const { return find(name) != results_.end(); }
  /// Cost of a request, after over before.
  double cost(const std::string& name) const {
    const auto lever = at(name);
    return *lever->evaluation.gpu_seconds_per_request(lever->lever.service) /
           *before_.gpu_seconds_per_request(service_);
  }
  double ttft(const std::string& name) const { return at(name)->evaluation.ttft_ms / before_.ttft_ms; }
  double tpot(const std::string& name) const { return at(name)->evaluation.tpot_alone_ms / before_.tpot_alone_ms; }

 private:
  std::vector<LeverResult>::const_iterator find(const std::string& name) const {
    return std::find_if(results_.begin(), results_.end(),
                        [&](const LeverResult& result) { return result.lever.name == name; });
  }
  std::vector<LeverResult>::const_iterator at(const std::string& name) const {
    INFO(name);
    REQUIRE(has(name));
    return find(name);
  }

  Evaluation before_;
  Service service_;
  std::vector<LeverResult> results_;
};

TEST_CASE("levers pull in the direction they should", "[plan][levers]") {
  const Levers levers(service_of("llama-3.1-8b", 2000, 300));
  CHECK(levers.cost("shorter prompts") < 1);
  CHECK(levers.ttft("shorter prompts") < 0.6);
  CHECK(levers.cost("shorter outputs") < 1);
  CHECK(levers.ttft("shorter outputs") == Approx(1));
  CHECK(levers.cost("prefix caching") < 1);
  CHECK(levers.ttft("prefix caching") < 0.6);
  CHECK(levers.cost("8-bit weights") < 1);
  CHECK(levers.tpot("8-bit weights") < 0.65);
  CHECK(levers.tpot("4-bit weights") < levers.tpot("8-bit weights"));
  CHECK(levers.cost("8-bit K/V") < 1);
  CHECK(levers.tpot("speculation") < 1);
  CHECK(levers.tpot("twice the cards") < 1);
}

TEST_CASE("losses are shown as losses", "[plan][levers]") {
  const Levers levers(service_of("llama-3.1-8b", 2000, 300));
  CHECK(levers.cost("without GQA") > 1);
  CHECK(levers.cost("no batching") > 3);
  // Guesses cost rows. A large batch with short contexts waits for arithmetic and has none to give away; one request has.
  const Levers full(service_of("llama-3.1-8b", 100, 300));
  CHECK(full.cost("speculation") > 1);
  CHECK(full.tpot("speculation") < 1);
  CHECK(full.cost("speculation, alone") < full.cost("no batching"));
}

TEST_CASE("levers that are pulled already, or cannot be, are not offered", "[plan][levers]") {
  Service service = service_of("llama-2-7b", 500, 100);
  service.deployment.weights = Precision::int4;
  service.deployment.kv = Precision::fp8;
  service.demand.prefix_share = 0.3;
  const Levers levers(service);
  CHECK(levers.has("GQA"));
  CHECK(levers.cost("GQA") < 1);
  for (const char* name : {"without GQA", "8-bit weights", "4-bit weights", "8-bit K/V", "prefix caching"}) {
    CHECK_FALSE(levers.has(name));
  }
  const Levers latent(service_of("deepseek-v3", 500, 100));
  CHECK_FALSE(latent.has("GQA"));
  CHECK_FALSE(latent.has("without GQA"));
}

TEST_CASE("a lever changes a trace as it changes the means", "[plan][levers]") {
  Service service = service_of("llama-3.1-8b", 100, 40);
  service.demand.trace = Workload{"t", {{.prompt_tokens = 101, .output_tokens = 41}}};
  for (const LeverResult& result : pull_levers(service, {})) {
    if (result.lever.name == "shorter prompts")
      CHECK(result.lever.service.demand.trace->requests[0].prompt_tokens == 50);
    if (result.lever.name == "shorter outputs")
      CHECK(result.lever.service.demand.trace->requests[0].output_tokens == 20);
  }
}

TEST_CASE("machines are bought for the peak and paid for all day", "[plan][sizing]") {
  PlanQuestion question;
  question.service = service_of("llama-3.1-8b", 500, 100);
  question.service->demand.requests_per_s = 30;
  question.service->demand.peak_to_mean = 2.5;
  question.price_per_gpu_hour = 2;
  const PlanReport report = make_plan(question);
  REQUIRE(report.plan->capacity);
  const double each = report.plan->capacity->requests_per_s;
  REQUIRE(report.plan->sizing);
  const Sizing& sizing = *report.plan->sizing;
  CHECK(double(sizing.replicas) * each >= 75);
  CHECK(double(sizing.replicas - 1) * each < 75);
  CHECK(sizing.peak_utilisation == Approx(75 / (double(sizing.replicas) * each)));
  CHECK(sizing.mean_utilisation == Approx(sizing.peak_utilisation / 2.5));
  // The bill of an hour over the tokens of an hour.
  const double million_tokens = 30.0 * 100 * 3600 / 1e6;
  CHECK(*output_price(report) == Approx(2.0 * double(sizing.gpus) / million_tokens));
}

TEST_CASE("an API's bill is tokens times prices", "[plan][api]") {
  const TokenBill bill = request_bill(3000, 500, 0.4);
  CHECK(bill.input == 1800);
  CHECK(bill.cached == 1200);
  CHECK(bill.price({1, 4, 0.1}) == Approx((1800 + 120 + 2000) / 1e6));
  CHECK(bill.price({1, 4, std::nullopt}) == Approx((3000 + 2000) / 1e6));
}

TEST_CASE("a chain's prompts grow with the square of its steps, with caching in a straight line", "[plan][api]") {
  const AgentChain chain{5, 100, 20, 30};
  const TokenBill whole = chain_bill(chain, false);
  CHECK(whole.input == 5 * 100 + 50 * 5 * 4 / 2);
  CHECK(whole.cached == 0);
  CHECK(whole.output == 100);
  const TokenBill cached = chain_bill(chain, true);
  CHECK(cached.input == 100 + 4 * 50);
  CHECK(cached.input + cached.cached == whole.input);
  // 100, 150, then 180 each.
  const TokenBill trimmed = chain_bill(chain, false, 180);
  CHECK(trimmed.input == 100 + 150 + 3 * 180);
  // What was cut leaves only the system part known.
  const TokenBill both = chain_bill(chain, true, 180);
  CHECK(both.cached == 100 + 3 * 100);
  CHECK(both.input + both.cached == trimmed.input);
  CHECK(chain_bill(chain, false, 10).input == 5 * 100);
}

TEST_CASE("trimming beats a lower price once chains are long, and caching moves that point away", "[plan][api]") {
  const AgentChain chain{1, 1000, 200, 800};
  const ApiPrices prices{1, 3, 0.1};
  const auto without = steps_where_trimming_wins(chain, prices, 4000, 0.5, false);
  REQUIRE(without);
  AgentChain longer = chain;
  longer.steps = *without;
  CHECK(chain_bill(longer, false, 4000).price(prices) < 0.5 * chain_bill(longer, false).price(prices));
  longer.steps = *without - 1;
  CHECK(chain_bill(longer, false, 4000).price(prices) >= 0.5 * chain_bill(longer, false).price(prices));
  const auto with = steps_where_trimming_wins(chain, prices, 4000, 0.5, true);
  CHECK((!with || *with > *without));
  CHECK_FALSE(steps_where_trimming_wins(chain, prices, 1'000'000, 0.5, false, 50));
}

TEST_CASE("own machines pay from so many requests a day on", "[plan][api]") {
  PlanQuestion question;
  question.service = service_of("llama-3.1-8b", 1000, 200);
  question.price_per_gpu_hour = 2;
  question.api = ApiPlan{{0.5, 1.5, {}}, request_bill(1000, 200, 0), 0, {}, {}};
  const double a_request = (1000 * 0.5 + 200 * 1.5) / 1e6;
  CHECK(*break_even_per_day({question, std::nullopt}) == Approx(48 / a_request));
  question.price_per_gpu_hour = std::nullopt;
  CHECK_FALSE(break_even_per_day({question, std::nullopt}));
}

}  // namespace
}  // namespace stagecraft
