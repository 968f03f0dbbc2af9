/// @file
/// Values stay text until they are parsed here, strictly and with our own messages.
#include "stages/plan/plan_options.h"

#include <algorithm>
#include <limits>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/command_line.h"
#include "stages/core/parse_number.h"
#include "stages/core/workload_reader.h"
#include "stages/plan/model_table.h"
#include "stages/plan/shape_reader.h"

namespace stagecraft {
namespace {

constexpr int64_t kMostTokens = 1 << 24, kMostGpus = 4096, kMostSteps = 100'000;
constexpr double kMost = 1e12, kLeastPositive = std::numeric_limits<double>::min();

constexpr const char* kDescription =
    "Predicts latency, memory and cost of serving a model, and says how far to trust it.";
constexpr const char* kExamples = R"(examples:
  plan --model llama-3.1-8b --gpu h100-sxm --prompt-tokens 1000 --output-tokens 250 --rate 20 --price-per-hour 2.5
  plan --model path/to/config.json --gpu a100-80gb --gpus 4 --weights int8 --kv fp8 --ttft-ms 500 --tpot-ms 40
  plan --model llama-3.1-8b --gpu l4 --workload workloads/azure2023_conversation_1000.csv --report plan.html
  plan --api-input 0.5 --api-output 1.5 --api-cached 0.05 --prompt-tokens 3000 --requests-per-day 10000
  plan --api-input 0.5 --api-output 1.5 --agent-steps 30 --agent-window 8000
  plan --list                    the models and cards that have names, and where their numbers come from
  plan --published               predictions beside figures that other engines have published
  plan --check --threads 1       predictions beside stage 4 on this machine

exit: 0 done, 1 failed while running, 2 bad usage or bad input.)";

}  // namespace

struct PlanOptions::Texts {
  std::string model, gpu, gpu_memory, gpu_bandwidth, gpu_tflops, gpus = "1", weights = "bf16", kv = "bf16";
  std::string prompt = "512", output = "256", longest, workload, requests, prefix_share = "0";
  std::string rate, peak = "1", ttft = "2000", tpot = "100", price;
  std::string bandwidth_share = "0.70", flop_share = "0.65", overhead = "200", all_reduce = "17", memory_share = "0.9",
              step_tokens = "2048";
  std::string lever_prefix = "0.5", drafted = "4", acceptance = "0.7", draft_cost = "0.05";
  std::string api_input, api_output, api_cached, per_day = "0";
  std::string agent_steps, agent_system = "1000", agent_answer = "200", agent_tool = "800", agent_window;
  std::string json, report;
  std::string threads = std::to_string(std::max(1u, std::thread::hardware_concurrency())), rounds = "3",
              check_seconds = "8";
  bool list = false, published = false, check = false, processor_time = false;
};

PlanOptions::PlanOptions() : texts_(std::make_unique<Texts>()), app_(std::make_unique<CLI::App>(kDescription, "plan")) {
  add_options();
}

PlanOptions::~PlanOptions() = default;

void PlanOptions::add_options() {
  Texts& t = *texts_;
  const char* group = "";
  const auto add = [&](const char* name, std::string& value, const char* type, const char* help) {
    app_->add_option(name, value, help)->type_name(type)->capture_default_str()->group(group);
  };
  group = "Model and machine";
  add("--model", t.model, "NAME", "a name of --list, or a config.json, or the folder of one");
  add("--gpu", t.gpu, "NAME", "a name of --list; or give the next three");
  add("--gpu-memory", t.gpu_memory, "GB", "memory of a card");
  add("--gpu-bandwidth", t.gpu_bandwidth, "GBS", "its memory bandwidth, in GB/s");
  add("--gpu-tflops", t.gpu_tflops, "N", "its dense bf16 rate, in TFLOP/s");
  add("--gpus", t.gpus, "N", "cards that share the model (tensor parallel)");
  add("--weights", t.weights, "P", "precision of the weights: bf16, fp8, int8, int4");
  add("--kv", t.kv, "P", "precision of keys and values");
  group = "Demand";
  add("--prompt-tokens", t.prompt, "N", "mean length of a prompt");
  add("--output-tokens", t.output, "N", "mean length of an answer");
  add("--longest", t.longest, "N", "tokens of the longest request; without it, prompt and answer");
  add("--workload", t.workload, "FILE", "lengths, rate and peak from a trace (see workloads/README.md)");
  add("--requests", t.requests, "N", "only the first N of the trace");
  add("--prefix-share", t.prefix_share, "S", "share of each prompt that is in the prefix cache, 0 to 1");
  add("--rate", t.rate, "R", "requests a second, on average");
  add("--peak-to-mean", t.peak, "F", "the busiest time, as a multiple of that");
  add("--ttft-ms", t.ttft, "MS", "the first token must come within this time");
  add("--tpot-ms", t.tpot, "MS", "and each other one within this");
  add("--price-per-hour", t.price, "P", "price of a card for an hour, in any currency");
  group = "Assumptions";
  add("--bandwidth-efficiency", t.bandwidth_share, "S", "share of the bandwidth that is reached");
  add("--flop-efficiency", t.flop_share, "S", "share of the FLOP rate that is reached");
  add("--overhead-us", t.overhead, "US", "a step, whatever is in it");
  add("--all-reduce-us", t.all_reduce, "US", "cards waiting for each other, twice a layer");
  add("--memory-share", t.memory_share, "S", "share of the memory that the engine may take");
  add("--step-tokens", t.step_tokens, "N", "most tokens of a step");
  add("--lever-prefix-share", t.lever_prefix, "S", "what the lever prefix caching assumes");
  add("--draft-tokens", t.drafted, "K", "guesses a step, for the lever speculation");
  add("--acceptance", t.acceptance, "A", "how often a guess is right");
  add("--draft-cost", t.draft_cost, "C", "a pass of the drafter, as a share of one of the model");
  group = "Somebody else's API";
  add("--api-input", t.api_input, "P", "price of a million input tokens");
  add("--api-output", t.api_output, "P", "price of a million output tokens");
  add("--api-cached", t.api_cached, "P", "price of a million input tokens that were seen before");
  add("--requests-per-day", t.per_day, "N", "requests a day");
  add("--agent-steps", t.agent_steps, "N", "steps of an agent, each with everything before it in its prompt");
  add("--agent-system", t.agent_system, "N", "tokens of its first prompt");
  add("--agent-answer", t.agent_answer, "N", "tokens of each answer");
  add("--agent-tool", t.agent_tool, "N", "tokens that each step adds besides");
  add("--agent-window", t.agent_window, "N", "trim its prompts to this many tokens");
  group = "Reports";
  add("--json", t.json, "FILE", "the plan as JSON; - is standard output, which then carries no text");
  add("--report", t.report, "FILE", "the plan as one HTML page with charts");
  app_->add_flag("--list", t.list, "show the tables of models and cards")->group(group);
  app_->add_flag("--published", t.published, "compare with figures that other engines have published")->group(group);
  group = "Check on this machine";
  app_->add_flag("--check", t.check, "compare with stage 4 on this machine")->group(group);
  app_->add_flag("--processor-time", t.processor_time, "measure it in processor time, for machines that others use too")
      ->group(group);
  add("--threads", t.threads, "N", "threads of the check");
  add("--rounds", t.rounds, "N", "rounds of it; the fastest counts");
  add("--check-seconds", t.check_seconds, "S", "leave points out that would take longer");
  app_->footer(kExamples);
}

bool PlanOptions::given(const char* name) const { return app_->count(name) > 0; }

void PlanOptions::refuse_unusable() const {
  const auto refuse = [&](const char* name, const char* with, const char* hint) {
    if (given(name) && given(with)) throw BadInput(fmt::format("{} and {} contradict each other", name, with), hint);
  };
  const auto needs = [&](const char* name, const char* other, const char* hint) {
    if (given(name) && !given(other)) throw BadInput(fmt::format("{} needs {}", name, other), hint);
  };
  refuse("--prompt-tokens", "--workload", "the trace says how long prompts are");
  refuse("--output-tokens", "--workload", "the trace says how long answers are");
  refuse("--longest", "--workload", "the trace says how long requests are");
  refuse("--gpu", "--gpu-memory", "take a card by name, or describe one");
  refuse("--list", "--check", "one at a time");
  refuse("--list", "--published", "one at a time");
  refuse("--published", "--check", "one at a time");
  refuse("--report", "--check", "a check has no page: --json holds all of it");
  for (const char* name : {"--gpu-bandwidth", "--gpu-tflops"})
    needs(name, "--gpu-memory", "a card is described by all three");
  needs("--requests", "--workload", "there is no trace to cut");
  needs("--api-input", "--api-output", "both are paid for");
  for (const char* name : {"--api-output", "--api-cached", "--agent-steps", "--requests-per-day"}) {
    needs(name, "--api-input", "tokens need a price");
  }
  needs("--agent-window", "--agent-steps", "there is no chain to trim");
  for (const char* name : {"--threads", "--rounds", "--check-seconds", "--processor-time"}) {
    needs(name, "--check", "a plan needs no machine: these are for --check");
  }
}

std::optional<PlanSettings> PlanOptions::parse(int argc, const char* const* argv) {
  const std::string help = "plan --help shows all options with examples";
  try {
    app_->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app_->help());
    return std::nullopt;
  } catch (const CLI::ExtrasError&) {
    throw BadInput(fmt::format("'{}' is not expected here", app_->remaining().front()), help);
  } catch (const CLI::ParseError& error) {
    throw BadInput(error.what(), help);
  }
  refuse_unusable();
  PlanSettings settings;
  settings.list = texts_->list;
  settings.published = texts_->published;
  settings.json = texts_->json;
  settings.report = texts_->report;
  if (texts_->check) settings.check = check();
  if (!settings.list && !settings.published && !settings.check) settings.question = question();
  return settings;
}

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
