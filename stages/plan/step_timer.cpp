/// @file
/// Made-up batches and a stopwatch.
#include "stages/plan/step_timer.h"

#include <chrono>

#include "kernels/check.h"

namespace stagecraft {

StepTimer::StepTimer(Model& model, const EngineClock& clock, NumberType kv_type, int64_t most_requests, int64_t longest)
    : model_(model),
      clock_(clock),
      longest_(longest),
      pool_(model.device(), model.config(), kv_type, most_requests * longest) {}

ForwardBatch StepTimer::batch_of(const std::vector<StepPart>& parts) const {
  ForwardBatch batch;
  batch.query_start = {0};
  for (size_t i = 0; i < parts.size(); ++i) {
    const StepPart& part = parts[i];
    check(part.rows <= part.kv_length && part.kv_length <= longest_, "the rows of a step are stored in its keys");
    const int64_t first_slot = int64_t(i) * longest_;
    for (int64_t position = part.kv_length - part.rows; position < part.kv_length; ++position) {
      batch.tokens.push_back(TokenId(position % model_.config().vocabulary));
      batch.positions.push_back(int32_t(position));
      batch.slots.push_back(first_slot + position);
    }
    batch.query_start.push_back(batch.rows());
    batch.logit_rows.push_back(batch.rows() - 1);
    batch.first_slot.push_back(first_slot);
  }
  return batch;
}

double StepTimer::seconds(const std::vector<StepPart>& parts) {
  const ForwardBatch batch = batch_of(parts);
  const std::vector<SamplingRow> greedy(parts.size(), SamplingRow{0.0f, kNoTopK, 1.0f, 0, 0});
  const auto step = [&] {
    const TimePoint start = clock_.now();
    model_.forward(batch, pool_);
    model_.sample(greedy);
    return std::chrono::duration<double>(clock_.now() - start).count();
  };
  step();
  return step();
}

std::vector<StepPart> equal_parts(int64_t requests, int64_t rows, int64_t kv_length) {
  return std::vector<StepPart>(size_t(requests), StepPart{0, rows, 0, kv_length});
}

}  // namespace stagecraft
