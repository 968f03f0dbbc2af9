/// @file
/// Values stay text until they are read here; then the workload is read or generated.
#include "stages/core/workload_options.h"

#include <cstdint>
#include <limits>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/parse_number.h"
#include "stages/core/workload_reader.h"

namespace stagecraft {
namespace {

constexpr int64_t kMostRequests = 1'000'000;
constexpr double kMostPerSecond = 1e9;
constexpr double kMostSpread = 1e3;  // burstiness and coefficients of variation

}  // namespace

WorkloadOptions::WorkloadOptions(CommandLine& command_line) : command_line_(command_line) {
  const auto add = [&](const char* name, std::string& value, const char* type, const char* help) {
    command_line.app().add_option(name, value, help)->type_name(type)->capture_default_str()->group("Workload");
  };
  add("--workload", file_, "FILE", "serve the requests of a trace: arrivals and lengths, with made-up prompts");
  add("--requests", requests_, "N", "the first N of --workload, or else N generated ones");
  add("--rate", rate_, "R", "arrivals a second, instead of the trace's; 0: all at the start");
  add("--burstiness", burstiness_, "B", "of --rate: 1 is a Poisson process, less comes in bursts");
  add("--shrink", shrink_, "N", "divide the lengths of --workload by N");
  add("--prompt-tokens", prompt_mean_, "MEAN", "generated: mean length of a prompt");
  add("--prompt-cv", prompt_cv_, "CV", "generated: its standard deviation / mean; 0: all equal");
  add("--output-tokens", output_mean_, "MEAN", "generated: mean length of an output");
  add("--output-cv", output_cv_, "CV", "generated: its standard deviation / mean; 0: all equal");
  add("--prefixes", prefixes_, "N", "generated: each prompt begins with one of N shared texts");
  add("--prefix-tokens", prefix_tokens_, "N", "generated: length of these");
  add("--workload-seed", seed_, "N", "of what is generated");
}

bool WorkloadOptions::given(const char* name) const { return command_line_.app().count(name) > 0; }

void WorkloadOptions::refuse(const char* name, const char* with, const char* hint) const {
  if (given(name)) throw BadInput(fmt::format("{} has no meaning {}", name, with), hint);
}

bool WorkloadOptions::any_prompt() const { return given("--prompt") || given("--prompts") || given("--ids"); }

void WorkloadOptions::refuse_unusable(bool serves_workload) const {
  const bool from_trace = given("--workload"), generated = given("--requests") && !from_trace;
  if (serves_workload) {
    for (const char* name : {"--prompt", "--prompts", "--ids"}) {
      refuse(name, "with a workload, whose prompts are made up", "give one of them");
    }
    refuse("--max-tokens", "with a workload, which says how long each output is", "leave it out");
    refuse("--stop", "with a workload, whose outputs have a given length", "leave it out");
  }
  for (const char* name :
       {"--prompt-tokens", "--prompt-cv", "--output-tokens", "--output-cv", "--prefixes", "--prefix-tokens"}) {
    if (!generated) refuse(name, "unless requests are generated", "give --requests N, and no --workload");
  }
  if (!from_trace) refuse("--shrink", "without --workload", "give --prompt-tokens and --output-tokens instead");
  if (!from_trace && !generated) refuse("--rate", "without a workload", "give --workload FILE or --requests N");
  if (!given("--rate")) refuse("--burstiness", "without --rate", "say how many arrive a second");
  if (!generated && !given("--rate")) refuse("--workload-seed", "where nothing is generated", "leave it out");
}

Asked WorkloadOptions::read(const Options& options, const std::optional<Workload>& otherwise) const {
  const bool is_given = given("--workload") || given("--requests");
  const bool falls_back = otherwise && !is_given && !any_prompt();
  refuse_unusable(is_given || falls_back);
  if (falls_back) return {.workload = otherwise};
  if (given("--workload")) return {.workload = from_file()};
  if (given("--requests")) return {.workload = generated()};
  return {.prompts = read_prompts(options)};
}

ArrivalSpec WorkloadOptions::arrivals() const {
  return {parse_number("--rate", rate_, 0.0, kMostPerSecond),
          parse_number("--burstiness", burstiness_, std::numeric_limits<double>::min(), kMostSpread)};
}

Workload WorkloadOptions::from_file() const {
  const size_t limit =
      given("--requests") ? size_t(parse_number<int64_t>("--requests", requests_, 1, kMostRequests)) : kAllRequests;
  Workload workload = read_workload(file_, limit);
  shrink_lengths(workload, parse_number<int64_t>("--shrink", shrink_, 1, LengthSpec::kNoLimit));
  if (given("--rate")) {
    set_arrivals(workload, arrivals(),
                 parse_number<uint64_t>("--workload-seed", seed_, 0, std::numeric_limits<uint64_t>::max()));
  }
  return workload;
}

Workload WorkloadOptions::generated() const {
  constexpr double kLongest = double(LengthSpec::kNoLimit);
  WorkloadSpec spec;
  spec.requests = parse_number<int64_t>("--requests", requests_, 1, kMostRequests);
  spec.arrivals = arrivals();
  spec.prompt = {parse_number("--prompt-tokens", prompt_mean_, 1.0, kLongest),
                 parse_number("--prompt-cv", prompt_cv_, 0.0, kMostSpread)};
  spec.output = {parse_number("--output-tokens", output_mean_, 1.0, kLongest),
                 parse_number("--output-cv", output_cv_, 0.0, kMostSpread)};
  spec.prefixes = parse_number<int64_t>("--prefixes", prefixes_, 0, kMostRequests);
  spec.prefix_tokens = parse_number<int64_t>("--prefix-tokens", prefix_tokens_, 0, LengthSpec::kNoLimit);
  spec.seed = parse_number<uint64_t>("--workload-seed", seed_, 0, std::numeric_limits<uint64_t>::max());
  return generate_workload(spec);
}

void shrink_lengths(Workload& workload, int64_t by) {
  check(by >= 1, "lengths are divided by 1 or more");
  for (WorkloadRequest& request : workload.requests) {
    request.prompt_tokens = (request.prompt_tokens + by - 1) / by;
    request.output_tokens = (request.output_tokens + by - 1) / by;
    for (SharedPiece& piece : request.prefix) piece.tokens /= by;  // down: their sum stays within the prompt
  }
}

}  // namespace stagecraft
