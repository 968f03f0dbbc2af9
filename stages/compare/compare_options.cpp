#include "stages/compare/compare_options.h"

#include <limits>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "stages/core/parse_number.h"

namespace stagecraft {
namespace {

constexpr int kMostRounds = 1000;
constexpr int kMostPlaces = 1 << 16;
constexpr int64_t kMostTokens = std::numeric_limits<int32_t>::max();  // rows are 32 bits wide

constexpr const char* kDescription = "Runs all stages on the same requests and shows what each gains and loses.";
constexpr const char* kExamples = R"(examples:
  compare                                                 the repo's model and a small workload
  compare --report ladder.html --json ladder.json --trace ladder.trace
  compare --workload workloads/azure2023_conversation_1000.csv --requests 32 --shrink 16 --rate 0 --stages 2,3,4
  compare --predict --trace-slice
  compare --prompt "Once upon a time" --prompt "The old king" --max-tokens 48 --temperature 0.7

The table goes to standard output, or to standard error with --json -. Nothing is printed before all stages have given
the same tokens.
exit: 0 done, 1 outputs differ or running failed, 2 bad usage or bad input, 130 ended by Ctrl-C.)";

std::string all_numbers() {
  std::string text;
  for (const StageEntry& stage : all_stages()) text += fmt::format("{}{}", text.empty() ? "" : ",", stage.info.number);
  return text;
}

}  // namespace

Workload default_workload() {
  WorkloadSpec spec;
  spec.requests = 16;
  spec.prompt = {.mean = 24, .cv = 0.5, .longest = 64};
  spec.output = {.mean = 32, .cv = 0.8, .longest = 96};
  spec.seed = 4;
  Workload workload = generate_workload(spec);
  workload.name = "default workload";
  return workload;
}

CompareOptions::CompareOptions(CommandLine& command_line)
    : command_line_(command_line), workload_(command_line), stages_(all_numbers()) {
  CLI::App& app = command_line.app();
  const auto add = [&](const char* name, std::string& value, const char* type, const char* help) {
    app.add_option(name, value, help)->type_name(type)->capture_default_str()->group("Comparison");
  };
  app.description(kDescription);
  app.footer(kExamples);
  app.get_option("--report")->description("all of it as one HTML page with charts");
  app.remove_option(app.get_option("--logits"));  // of which stage?
  add("--stages", stages_, "1,2,3", "which stages, each against the one before it");
  add("--repeat", repeat_, "N", "timed rounds, after one that warms up and checks the tokens");
  add("--batch", batch_, "N", "at most N requests share a step, in stages that batch");
  add("--token-budget", token_budget_, "N", "at most N tokens are computed in a step, in stages that schedule");
  app.add_flag("--predict", predict_, "show the roofline's prediction beside each time, with its error")
      ->group("Comparison");
  app.add_flag("--trace-slice", trace_slice_, "also compare continuous with static batching on a conversation trace")
      ->group("Comparison");
}

CompareSettings CompareOptions::read(const Options& options) const {
  CompareSettings settings;
  settings.stages = stages_from(stages_);
  settings.repeat = parse_number("--repeat", repeat_, 1, kMostRounds);
  settings.limits.batch = parse_number("--batch", batch_, 1, kMostPlaces);
  settings.limits.token_budget = parse_number<int64_t>("--token-budget", token_budget_, 1, kMostTokens);
  settings.predict = predict_;
  settings.trace_slice = trace_slice_;
  settings.asked = workload_.read(options, default_workload());
  return settings;
}

}  // namespace stagecraft
