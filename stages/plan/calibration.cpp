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
constexpr int64_t kAttentionBatch = 3, kAttentionChunk = 80;
constexpr double kPsPerSecond = 1e12, kUsPerSecond = 1e6;
constexpr int64_t kFlopPerParameter = 2;

/// Picoseconds of a key more, from two steps that differ in nothing else.
double picoseconds(double seconds, double pairs) { return std::max(0.0, seconds * kPsPerSecond / pairs); }

}  // namespace

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
    const double seconds = timer.seconds(equal_parts(step.requests, step.rows, step.kv_length));
    step.seconds = step.seconds > 0 ? std::min(step.seconds, seconds) : seconds;
    step.slowest = std::max(step.slowest, seconds);
  }
}

const CalibrationStep& Calibration::step(int64_t requests, int64_t rows, int64_t kv_length) const {
  const auto found = std::find_if(steps_.begin(), steps_.end(), [&](const CalibrationStep& step) {
    return step.requests == requests && step.rows == rows && step.kv_length == kv_length;
  });
  check(found != steps_.end() && found->seconds > 0, "the step has been measured");
  return *found;
}

CostModel Calibration::cost(const Model& model, NumberType kv_type) const {
  const ModelConfig& config = model.config();
  const int64_t head = config.vocabulary * config.hidden_size;
  CostModel cost;
  cost.flop_per_request = kFlopPerParameter * head;
  cost.flop_per_token = kFlopPerParameter * (model.weights().parameters - head - (config.tied_head ? 0 : head));
  cost.kv_bytes_per_token = 0;
  (void)kv_type;

  const double more_keys = double(many_keys_ - few_keys_);
  const double row_ps =
      picoseconds(step(kAttentionBatch, 1, many_keys_).seconds - step(kAttentionBatch, 1, few_keys_).seconds,
                  double(kAttentionBatch) * more_keys);
  const double chunk_ps =
      picoseconds(step(1, kAttentionChunk, many_keys_).seconds - step(1, kAttentionChunk, kAttentionChunk).seconds,
                  double(kAttentionChunk) * double(many_keys_ - kAttentionChunk));
  cost.attention_ps = std::llround(std::min(row_ps, chunk_ps));
  cost.key_ps = std::llround(row_ps) - cost.attention_ps;

  const auto attention_s = [&](int64_t requests, int64_t rows, int64_t keys) {
    const double pairs = double(rows * keys - rows * (rows - 1) / 2);
    return double(requests) * (pairs * double(cost.attention_ps) + double(keys * cost.key_ps)) / kPsPerSecond;
  };
  const auto add = [&](int64_t rows, double seconds, double flop) {
    cost.rates.push_back({rows, std::max<int64_t>(1, std::llround(flop / (std::max(seconds, 1e-9) * kUsPerSecond)))});
  };
  for (const int64_t batch : kBatches) {
    const double seconds = step(batch, 1, few_keys_).seconds - attention_s(batch, 1, few_keys_);
    add(batch, seconds, double(batch * (cost.flop_per_token + cost.flop_per_request)));
  }
  // A chunk draws one token: the head's time for one row, at the rate of a single row, is not the chunk's.
  const double head_s = double(cost.flop_per_request) / (double(cost.rates.front().flop_per_us) * kUsPerSecond);
  for (const int64_t rows : chunks_) {
    const double seconds = step(1, rows, rows).seconds - attention_s(1, rows, rows) - head_s;
    add(rows, seconds, double(rows * cost.flop_per_token));
  }
  return cost;
}

double Calibration::typical_spread() const {
  std::vector<double> spreads;
  for (const CalibrationStep& step : steps_) spreads.push_back(step.slowest / step.seconds);
  std::sort(spreads.begin(), spreads.end());
  return spreads[spreads.size() / 2];
}

}  // namespace stagecraft
