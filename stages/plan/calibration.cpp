/// @file
/// Which steps are timed, and what their times say.
#include "stages/plan/calibration.h"

#include <algorithm>
#include <cmath>

#include "kernels/check.h"

namespace stagecraft {
namespace {

constexpr int64_t kFewKeys = 40;
constexpr int64_t kBatches[] = {1, 3, 6, 12, Calibration::kMostRequests};
constexpr int64_t kChunks[] = {40, 80, 160, 320};
constexpr int64_t kAttentionBatch = 1, kAttentionChunk = 80;
constexpr double kPsPerSecond = 1e12, kNsPerSecond = 1e9, kUsPerSecond = 1e6, kNsPerUs = 1e3;
constexpr double kLeastUs = 0.01;  // no step takes less
constexpr int64_t kFlopPerParameter = 2;

/// Picoseconds of a key more, from two steps that differ in nothing else.
double picoseconds(double seconds, double pairs) { return std::max(0.0, seconds * kPsPerSecond / pairs); }

}  // namespace

double median_of(std::vector<double> values) {
  check(!values.empty(), "there is something in the middle");
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Calibration::Calibration(int64_t longest) : few_keys_(std::min(kFewKeys, longest)), many_keys_(longest * 3 / 4) {
  check(longest > kAttentionChunk, "the model has room for a chunk with keys before it");
  for (const int64_t batch : kBatches) steps_.push_back({batch, 1, few_keys_});
  steps_.push_back({kAttentionBatch, 1, many_keys_});
  for (const int64_t rows : kChunks) {
    if (rows > longest) break;
    chunks_.push_back(rows);
    steps_.push_back({1, rows, rows});
  }
  steps_.push_back({1, kAttentionChunk, many_keys_});
}

void Calibration::measure(StepTimer& timer) {
  for (CalibrationStep& step : steps_) {
    step.seconds.push_back(timer.seconds(equal_parts(step.requests, step.rows, step.kv_length)));
  }
}

double Calibration::time_of(int64_t requests, int64_t rows, int64_t kv_length) const {
  const auto found = std::find_if(steps_.begin(), steps_.end(), [&](const CalibrationStep& step) {
    return step.requests == requests && step.rows == rows && step.kv_length == kv_length;
  });
  check(found != steps_.end(), "the step is one of those that are measured");
  return median_of(found->seconds);
}

/// A single row pays for loading a key alone; the rows of a chunk share that.
void Calibration::add_attention(CostModel& cost) const {
  const double single_ps = picoseconds(time_of(kAttentionBatch, 1, many_keys_) - time_of(kAttentionBatch, 1, few_keys_),
                                       double(kAttentionBatch * (many_keys_ - few_keys_)));
  const double chunk_ps =
      picoseconds(time_of(1, kAttentionChunk, many_keys_) - time_of(1, kAttentionChunk, kAttentionChunk),
                  double(kAttentionChunk * (many_keys_ - kAttentionChunk)));
  cost.attention_ps = std::llround(std::min(single_ps, chunk_ps));
  cost.key_ps = std::llround(single_ps) - cost.attention_ps;
}

/// What is left of a step without its attention, as a FLOP rate at so many rows.
void Calibration::add_rates(CostModel& cost) const {
  const auto rest_us = [&](int64_t requests, int64_t rows, int64_t keys) {
    CostModel attention;
    attention.attention_ps = cost.attention_ps;
    attention.key_ps = cost.key_ps;
    const double attention_us = double(attention.step_ns(equal_parts(requests, rows, keys))) / kNsPerUs;
    return std::max(kLeastUs, time_of(requests, rows, keys) * kUsPerSecond - attention_us);
  };
  const auto add = [&](int64_t rows, double us, double flop) {
    cost.rates.push_back({rows, std::max<int64_t>(1, std::llround(flop / us))});
  };
  for (const int64_t batch : kBatches) {
    add(batch, rest_us(batch, 1, few_keys_), double(batch * (cost.flop_per_token + cost.flop_per_request)));
  }
  // A chunk draws one token, so its head is as fast as that of a single row.
  const double head_us = double(cost.flop_per_request) / double(cost.rates.front().flop_per_us);
  for (const int64_t rows : chunks_) {
    add(rows, std::max(kLeastUs, rest_us(1, rows, rows) - head_us), double(rows * cost.flop_per_token));
  }
}

CostModel Calibration::cost(const Model& model) const {
  const ModelConfig& config = model.config();
  const int64_t head = config.vocabulary * config.hidden_size, looked_up = config.tied_head ? 0 : head;
  CostModel cost;
  cost.flop_per_request = kFlopPerParameter * head;
  cost.flop_per_token = kFlopPerParameter * (model.weights().parameters - head - looked_up);
  add_attention(cost);
  add_rates(cost);
  if (engine_.empty()) return cost;
  const double step_s = double(cost.step_ns(equal_parts(1, 1, kEngineTokens))) / kNsPerSecond;
  cost.overhead_ns = std::max<int64_t>(0, std::llround((median_of(engine_) - step_s) * kNsPerSecond));
  return cost;
}

double Calibration::typical_spread() const {
  std::vector<double> spreads;
  for (const CalibrationStep& step : steps_) {
    spreads.push_back(*std::max_element(step.seconds.begin(), step.seconds.end()) / median_of(step.seconds));
  }
  return median_of(spreads);
}

}  // namespace stagecraft
