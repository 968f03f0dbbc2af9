/// @file
/// Numbers and sentences that text and page have in common.
#include <fmt/format.h>

#include "stages/plan/plan_text.h"

namespace stagecraft {
namespace {

constexpr double kDaysPerMonth = 30, kPercent = 100;
constexpr double kHalfPrice = 0.5;

std::optional<double> as_number(const std::optional<OperatingPoint>& point) {
  if (!point) return std::nullopt;
  return double(point->requests);
}

std::string tokens(double count) { return fmt::format("{:.0f}", count); }

}  // namespace

LeverNumbers numbers_of(const LeverResult& lever, const ServicePlan& plan, const Service& service) {
  const Evaluation &before = plan.evaluation, &after = lever.evaluation;
  return {{before.gpu_seconds_per_request(service), after.gpu_seconds_per_request(lever.lever.service)},
          {before.ttft_ms, after.ttft_ms},
          {before.tpot_alone_ms, after.tpot_alone_ms},
          {as_number(before.best), as_number(after.best)}};
}

std::vector<std::string> assumptions_of(const Service& service) {
  const Deployment& deployment = service.deployment;
  const Efficiency& efficiency = deployment.efficiency;
  std::vector<std::string> lines = {
      fmt::format("weights {}, K/V {}; {:.0f}% of the bandwidth and {:.0f}% of the FLOP rate are reached, {:g} us a "
                  "step besides",
                  name_of(deployment.weights), name_of(deployment.kv), kPercent * efficiency.bandwidth,
                  kPercent * efficiency.flop, efficiency.overhead_us),
      fmt::format("at most {} tokens a step; the engine takes {:.0f}% of the memory", deployment.step_tokens,
                  kPercent * deployment.memory_share),
      "narrow weights are widened before they are multiplied: they save bytes, not FLOP"};
  if (deployment.gpus > 1) {
    lines.push_back(
        fmt::format("{} cards split bytes and FLOP evenly and wait {:g} us twice a layer, however many rows",
                    deployment.gpus, efficiency.all_reduce_us));
  }
  if (deployment.shape.experts.count > 0) {
    lines.push_back("the router picks experts evenly: a step reads E (1 - (1 - k/E)^rows) of them a layer");
  }
  if (service.demand.prefix_share > 0) {
    lines.push_back(fmt::format("{:.0f}% of each prompt is in the cache; every request is counted with all of its K/V",
                                kPercent * service.demand.prefix_share));
  }
  return lines;
}

std::vector<std::pair<std::string, std::string>> api_lines(const PlanReport& report) {
  if (!report.question.api) return {};
  const ApiPlan& api = *report.question.api;
  std::vector<std::pair<std::string, std::string>> lines;
  lines.emplace_back("a request", fmt::format("{} tokens in, {} known, {} out: {:.4g} for a thousand",
                                              tokens(api.request.input), tokens(api.request.cached),
                                              tokens(api.request.output), 1000 * api.request.price(api.prices)));
  if (api.requests_per_day > 0) {
    const double day = api.requests_per_day * api.request.price(api.prices);
    lines.emplace_back(fmt::format("{:.0f} requests a day", api.requests_per_day),
                       fmt::format("{:.4g} a day, {:.4g} a month", day, kDaysPerMonth * day));
  }
  if (const auto even = break_even_per_day(report)) {
    lines.emplace_back("own machines are cheaper",
                       fmt::format("from {:.0f} requests a day on, with one replica", *even));
  }
  return lines;
}

std::vector<std::pair<std::string, std::string>> chain_lines(const PlanReport& report) {
  if (!report.question.api || !report.question.api->chain) return {};
  const ApiPlan& api = *report.question.api;
  const AgentChain& chain = *api.chain;
  const auto price_line = [&](const TokenBill& bill) {
    return fmt::format("{} in, {} known, {} out: {:.4g}", tokens(bill.input), tokens(bill.cached), tokens(bill.output),
                       bill.price(api.prices));
  };
  std::vector<std::pair<std::string, std::string>> lines;
  lines.emplace_back("chain", fmt::format("{} steps, {} tokens at first, {} more a step", chain.steps,
                                          chain.system_tokens, chain.answer_tokens + chain.tool_tokens));
  lines.emplace_back("whole prompts", price_line(chain_bill(chain, false)));
  lines.emplace_back("with prefix caching", price_line(chain_bill(chain, true)));
  if (!api.window) return lines;
  lines.emplace_back(fmt::format("trimmed to {}", *api.window), price_line(chain_bill(chain, false, api.window)));
  lines.emplace_back("trimmed, with caching",
                     price_line(chain_bill(chain, true, api.window)) + "; what was cut is no prefix any more");
  for (const bool cached : {false, true}) {
    const auto steps = steps_where_trimming_wins(chain, api.prices, *api.window, kHalfPrice, cached);
    lines.emplace_back(cached ? "  with caching" : "trimming beats half price",
                       steps ? fmt::format("from step {} on", *steps) : "never");
  }
  return lines;
}

}  // namespace stagecraft
