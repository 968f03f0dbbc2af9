/// @file
/// CLI11 finds the options; what contradicts itself is refused.
#include "stages/plan/plan_options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/plan/plan_option_texts.h"

namespace stagecraft {
namespace {

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
  add("--rounds", t.rounds, "N", "rounds of it; the median counts");
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

}  // namespace stagecraft
