/// @file
/// From text to numbers: strictly, and with our own messages.
#include <limits>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/command_line.h"
#include "stages/core/parse_number.h"
#include "stages/core/workload_reader.h"
#include "stages/plan/model_table.h"
#include "stages/plan/plan_option_texts.h"
#include "stages/plan/shape_reader.h"

namespace stagecraft {
namespace {

constexpr int64_t kMostTokens = 1 << 24, kMostGpus = 4096, kMostSteps = 100'000;
constexpr double kMost = 1e12, kLeastPositive = std::numeric_limits<double>::min();

}  // namespace

PlanQuestion PlanOptions::question() const {
  const Texts& t = *texts_;
  PlanQuestion question;
  if (given("--model")) {
    Service service;
    service.deployment = deployment(question.model_source);
    service.demand = demand();
    question.service = service;
  } else if (!given("--api-input")) {
    throw BadInput("nothing to plan: no --model was given", "name one of " + model_names() + ", or a config.json");
  }
  question.levers.prefix_share = parse_number("--lever-prefix-share", t.lever_prefix, 0.0, 1.0);
  question.levers.speculation = speculation();
  if (given("--price-per-hour")) question.price_per_gpu_hour = parse_number("--price-per-hour", t.price, 0.0, kMost);
  if (given("--api-input")) question.api = api(question.service);
  return question;
}

Deployment PlanOptions::deployment(std::string& source) const {
  const Texts& t = *texts_;
  Deployment deployment;
  if (const PublicModel* model = find_model(t.model)) {
    deployment.shape = model->shape;
    source = model->source + (model->unchecked.empty() ? "" : "; not checked: " + model->unchecked);
  } else {
    std::error_code ignored;
    if (!std::filesystem::exists(t.model, ignored)) {
      throw BadInput(fmt::format("--model: '{}' is neither in the table nor a file", t.model),
                     "name one of " + model_names() + ", or a config.json");
    }
    deployment.shape = read_model_shape(t.model);
    source = deployment.shape.name;
  }
  deployment.gpu = gpu();
  deployment.gpus = parse_number<int64_t>("--gpus", t.gpus, 1, kMostGpus);
  deployment.weights = precision_from("--weights", t.weights);
  deployment.kv = precision_from("--kv", t.kv);
  Efficiency& efficiency = deployment.efficiency;
  efficiency.bandwidth = parse_number("--bandwidth-efficiency", t.bandwidth_share, 0.001, 1.0);
  efficiency.flop = parse_number("--flop-efficiency", t.flop_share, 0.001, 1.0);
  efficiency.overhead_us = parse_number("--overhead-us", t.overhead, 0.0, 1e6);
  efficiency.all_reduce_us = parse_number("--all-reduce-us", t.all_reduce, 0.0, 1e6);
  deployment.memory_share = parse_number("--memory-share", t.memory_share, 0.01, 1.0);
  deployment.step_tokens = parse_number<int64_t>("--step-tokens", t.step_tokens, 1, kMostTokens);
  return deployment;
}

Gpu PlanOptions::gpu() const {
  const Texts& t = *texts_;
  if (given("--gpu")) return gpu_named(t.gpu);
  if (!given("--gpu-memory")) return gpu_named("");
  const auto number = [&](const char* name, const std::string& text) {
    if (!given(name)) throw BadInput(fmt::format("--gpu-memory needs {}", name), "a card is described by all three");
    return parse_number(name, text, kLeastPositive, kMost);
  };
  return {"card", number("--gpu-memory", t.gpu_memory), number("--gpu-bandwidth", t.gpu_bandwidth),
          number("--gpu-tflops", t.gpu_tflops), "the command line"};
}

Demand PlanOptions::demand() const {
  const Texts& t = *texts_;
  const Slo slo{parse_number("--ttft-ms", t.ttft, kLeastPositive, kMost),
                parse_number("--tpot-ms", t.tpot, kLeastPositive, kMost)};
  Demand demand;
  if (given("--workload")) {
    const size_t limit =
        given("--requests") ? parse_number<size_t>("--requests", t.requests, 1, kAllRequests) : kAllRequests;
    demand = demand_of(read_workload(t.workload, limit), slo);
  } else {
    demand.prompt_tokens = parse_number<int64_t>("--prompt-tokens", t.prompt, 1, kMostTokens);
    demand.output_tokens = parse_number<int64_t>("--output-tokens", t.output, 1, kMostTokens);
    const int64_t mean = demand.prompt_tokens + demand.output_tokens;
    demand.longest = given("--longest") ? parse_number<int64_t>("--longest", t.longest, mean, kMostTokens) : mean;
    demand.slo = slo;
  }
  demand.prefix_share = parse_number("--prefix-share", t.prefix_share, 0.0, 1.0);
  if (given("--rate")) demand.requests_per_s = parse_number("--rate", t.rate, kLeastPositive, kMost);
  if (given("--peak-to-mean")) demand.peak_to_mean = parse_number("--peak-to-mean", t.peak, 1.0, kMost);
  return demand;
}

Speculation PlanOptions::speculation() const {
  const Texts& t = *texts_;
  return {parse_number<int64_t>("--draft-tokens", t.drafted, 1, 64),
          parse_number("--acceptance", t.acceptance, 0.0, 1.0), parse_number("--draft-cost", t.draft_cost, 0.0, 1.0)};
}

ApiPlan PlanOptions::api(const std::optional<Service>& service) const {
  const Texts& t = *texts_;
  const auto price = [&](const char* name, const std::string& text) { return parse_number(name, text, 0.0, kMost); };
  const auto tokens = [&](const char* name, const std::string& text) {
    return parse_number<int64_t>(name, text, 0, kMostTokens);
  };
  ApiPlan api;
  api.prices = {price("--api-input", t.api_input), price("--api-output", t.api_output), {}};
  if (given("--api-cached")) api.prices.cached_input = price("--api-cached", t.api_cached);
  const Demand asked = service ? service->demand : demand();
  api.request = request_bill(double(asked.prompt_tokens), double(asked.output_tokens), asked.prefix_share);
  api.requests_per_day = parse_number("--requests-per-day", t.per_day, 0.0, kMost);
  if (!given("--agent-steps")) return api;
  api.chain = AgentChain{parse_number<int64_t>("--agent-steps", t.agent_steps, 1, kMostSteps),
                         tokens("--agent-system", t.agent_system), tokens("--agent-answer", t.agent_answer),
                         tokens("--agent-tool", t.agent_tool)};
  if (given("--agent-window")) api.window = tokens("--agent-window", t.agent_window);
  return api;
}

CheckSettings PlanOptions::check() const {
  const Texts& t = *texts_;
  constexpr int kMostThreads = 1024, kMostRounds = 100;
  CheckSettings settings{given("--model") ? std::filesystem::path(t.model) : default_model(),
                         parse_number("--threads", t.threads, 1, kMostThreads),
                         parse_number("--rounds", t.rounds, 1, kMostRounds),
                         parse_number("--check-seconds", t.check_seconds, 0.0, kMost)};
  settings.processor_time = t.processor_time;
  if (settings.processor_time && settings.threads != 1) {
    throw BadInput("--processor-time adds up the time of all threads", "give --threads 1");
  }
  return settings;
}

}  // namespace stagecraft
