/// @file
/// Texts become a scheduler's limits.
#include "stages/4_continuous_batching/engine_options.h"

#include <limits>

#include <CLI/CLI.hpp>

#include "stages/core/parse_number.h"

namespace stagecraft {
namespace {

constexpr int kMostRunning = 1 << 16;
constexpr int64_t kMostTokens = std::numeric_limits<int32_t>::max();  // rows and positions are 32 bits wide

}  // namespace

EngineOptions::EngineOptions(CommandLine& command_line, int max_running)
    : command_line_(command_line), max_running_(std::to_string(max_running)) {
  add("--max-running", max_running_, "N", "at most N requests hold K/V at a time");
  add("--token-budget", token_budget_, "N", "at most N tokens are computed in a step, over all requests");
  add("--chunk", chunk_, "N", "at most N tokens of a request are computed in a step");
  add("--policy", policy_, "NAME", "who is let in next: fcfs, shortest-prompt-first, priority");
}

void EngineOptions::add_max_length() {
  add("--max-length", max_length_, "N", "refuse requests that would store more than N tokens");
}

void EngineOptions::add(const char* name, std::string& value, const char* type, const char* help) {
  command_line_.app().add_option(name, value, help)->type_name(type)->capture_default_str()->group("Scheduler");
}

ContinuousOptions EngineOptions::read() const {
  ContinuousOptions options;
  options.scheduler.policy = policy_from(policy_);
  options.scheduler.max_running = parse_number("--max-running", max_running_, 1, kMostRunning);
  options.token_budget = parse_number<int64_t>("--token-budget", token_budget_, 1, kMostTokens);
  if (!chunk_.empty()) options.scheduler.max_chunk = parse_number<int64_t>("--chunk", chunk_, 1, kMostTokens);
  if (!max_length_.empty()) options.max_length = parse_number<int64_t>("--max-length", max_length_, 1, kMostTokens);
  return options;
}

}  // namespace stagecraft
