/// @file
/// A virtual clock charges a fixed time a step, or the roofline of --read-bandwidth and --peak-gflops, or both.
#include "stages/core/clock_options.h"

#include <cmath>
#include <limits>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/parse_number.h"

namespace stagecraft {
namespace {

constexpr int64_t kNsPerUs = 1000;
constexpr int64_t kMostUs = int64_t{1} << 40;

/// The cost model counts in whole bytes and operations a nanosecond.
int64_t whole_rate(const char* option, double rate) {
  if (rate >= 1 && rate == std::floor(rate)) return int64_t(rate);
  throw BadInput(fmt::format("{}: {} is not a whole number, which --clock virtual needs to be exact", option, rate),
                 "round it");
}

}  // namespace

ClockOptions::ClockOptions(CommandLine& command_line) : command_line_(command_line) {
  const auto add = [&](const char* name, std::string& value, const char* type, const char* help) {
    command_line.app().add_option(name, value, help)->type_name(type)->capture_default_str()->group("Clock");
  };
  add("--clock", clock_, "KIND",
      "wall, or virtual: a step takes --step-us, plus what --read-bandwidth and --peak-gflops say");
  add("--step-us", step_us_, "N", "fixed time of a step on the virtual clock, in microseconds");
}

std::optional<CostModel> ClockOptions::read(const Options& options) const {
  const MachineLimits& limits = options.limits;
  const int64_t step_us = parse_number<int64_t>("--step-us", step_us_, 0, kMostUs);
  if (clock_ == "wall") {
    if (command_line_.app().count("--step-us") == 0) return std::nullopt;
    throw BadInput("--step-us has no meaning on the clock on the wall", "add --clock virtual");
  }
  if (clock_ != "virtual") {
    throw BadInput(fmt::format("--clock: there is no clock '{}'", clock_), "use wall or virtual");
  }
  if (limits.read_bandwidth_gbs.has_value() != limits.peak_gflops.has_value()) {
    throw BadInput("--clock virtual needs both --read-bandwidth and --peak-gflops, or none of them",
                   "--step-us alone makes all steps take the same time");
  }
  if (step_us == 0 && !limits.peak_gflops) {
    throw BadInput("--clock virtual stands still: a step costs nothing",
                   "give --step-us, or --read-bandwidth and --peak-gflops");
  }
  CostModel cost = CostModel::constant_step(step_us * kNsPerUs);
  if (limits.peak_gflops) {
    cost.bytes_per_ns = whole_rate("--read-bandwidth", *limits.read_bandwidth_gbs);
    cost.flop_per_ns = whole_rate("--peak-gflops", *limits.peak_gflops);
  }
  return cost;
}

CostModel cost_of_model(const CostModel& cost, const Session& session, const Options& options) {
  if (!options.limits.peak_gflops) return cost;
  const ModelWeights& weights = session.model->weights();
  CostModel of_model = cost;
  of_model.weight_bytes = weights.bytes_per_forward;
  of_model.kv_bytes_per_token = session.config.kv_bytes_per_token(options.kv_type);
  of_model.flop_per_token = 2 * weights.parameters;
  return of_model;
}

std::unique_ptr<EngineClock> make_clock(const std::optional<CostModel>& cost, const Session& session,
                                        const Options& options) {
  if (!cost) return std::make_unique<WallClock>();
  return std::make_unique<CostClock>(cost_of_model(*cost, session, options));
}

std::string describe(const CostModel& cost) {
  std::string text = fmt::format("a step takes {} us", double(cost.overhead_ns) / double(kNsPerUs));
  if (cost.weight_bytes == 0) return text;
  return text + fmt::format(" + max((weights {} + {} a stored token) bytes / {} GB/s, {} FLOP a token / {} GFLOP/s)",
                            with_commas(cost.weight_bytes), with_commas(cost.kv_bytes_per_token), cost.bytes_per_ns,
                            with_commas(cost.flop_per_token), cost.flop_per_ns);
}

}  // namespace stagecraft
