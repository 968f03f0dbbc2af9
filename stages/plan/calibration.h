#pragma once
/// @file
/// The constants of a model on this machine, measured instead of read off a data sheet: how long steps of so many rows
/// take, and how long attention takes for a key more. They go into the same CostModel as a card's figures do.
///
/// | timed                                    | gives                                                                |
/// |------------------------------------------|----------------------------------------------------------------------|
/// | 1, 3, 6, 12, 20 requests, a row each     | the FLOP rate at so many rows, the fixed part of a step included     |
/// | chunks of 40, 80, 160, 320 rows          | the FLOP rate of prompts                                             |
/// | a request with many keys and with few    | attention, a key more for a single row                               |
/// | a chunk with many keys and with few      | attention, a key more for each of many rows                          |
/// | the engine, a request of 48 tokens       | what it adds to a step: planning, text, records                      |
///
/// The rates differ by more than a factor of four: one row streams the weights past, a few rows pay for packing them,
/// many rows share that. None of these points is one that --check compares (1 row apart, for which there is no other).
/// Every time is the median of all rounds.
#include <cstdint>
#include <string>
#include <vector>

#include "stages/core/cost_model.h"
#include "stages/plan/step_timer.h"

namespace stagecraft {

/// One kind of step that is timed.
struct CalibrationStep {
  int64_t requests = 1, rows = 1, kv_length = 1;
  std::vector<double> seconds = {};  // (rounds)
};

/// The value in the middle, of at least one.
double median_of(std::vector<double> values);

class Calibration {
 public:
  /// For a model with room for `longest` tokens a request.
  explicit Calibration(int64_t longest);

  /// What the timer must have room for.
  static constexpr int64_t kMostRequests = 20;

  /// Times every step once more.
  void measure(StepTimer& timer);

  /// What the engine took for a token of one request, at about kEngineTokens keys, in seconds.
  void add_engine_step(double seconds) { engine_.push_back(seconds); }
  static constexpr int64_t kEngineTokens = 48;

  /// The constants, from what was measured so far.
  CostModel cost(const Model& model) const;

  const std::vector<CalibrationStep>& steps() const { return steps_; }
  /// Slowest over median of the typical step: how quiet the machine was.
  double typical_spread() const;

 private:
  /// The median of a step, in seconds.
  double time_of(int64_t requests, int64_t rows, int64_t kv_length) const;
  void add_attention(CostModel& cost) const;
  void add_rates(CostModel& cost) const;

  int64_t few_keys_, many_keys_;
  std::vector<int64_t> chunks_;
  std::vector<CalibrationStep> steps_;
  std::vector<double> engine_;
};

}  // namespace stagecraft
