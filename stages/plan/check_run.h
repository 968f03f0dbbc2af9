#pragma once
/// @file
/// --check: what the planner's arithmetic says about our own engine on this machine, and what the engine then does.
///
/// The cost of a step is calibrated (calibration.h), the schedule is simulated with it, and the same requests are served
/// by stage 4: so many at once, all with the same prompt length. Rounds alternate between calibrating and serving, so
/// that a disturbance hits both; of each the median counts.
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "stages/plan/plan_options.h"

namespace stagecraft {

/// One batch, predicted and served.
struct CheckPoint {
  int64_t requests = 0, prompt_tokens = 0;
  double predicted_ttft_ms = 0, measured_ttft_ms = 0, slowest_ttft_ms = 0;
  double predicted_tpot_ms = 0, measured_tpot_ms = 0, slowest_tpot_ms = 0;

  double ttft_error() const { return predicted_ttft_ms / measured_ttft_ms - 1; }
  double tpot_error() const { return predicted_tpot_ms / measured_tpot_ms - 1; }
};

struct CheckResult {
  std::string model, cpu;
  int threads = 1, rounds = 0;
  bool processor_time = false;
  double spread = 1;  // slowest over median of the typical calibration step
  std::vector<CheckPoint> points;
  std::vector<std::string> left_out;  // points that would have taken too long
};

/// The promise: predictions are at most so far off.
inline constexpr double kTtftBar = 0.25, kTpotBar = 0.20;

/// Throws BadInput if the model cannot be run here, or its context is too short for any point.
CheckResult check_on_this_machine(const CheckSettings& settings);

std::string check_text(const CheckResult& result);
nlohmann::ordered_json check_json(const CheckResult& result);

}  // namespace stagecraft
