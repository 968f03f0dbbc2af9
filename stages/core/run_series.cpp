/// @file
/// Every event falls into one slice.
#include "stages/core/run_series.h"

#include <algorithm>

#include "kernels/check.h"
#include "stages/core/metrics.h"

namespace stagecraft {
namespace {

constexpr double kMsPerSecond = 1e3, kBytesPerMb = 1e6, kPercent99 = 99, kPercent50 = 50;

class Slicer {
 public:
  Slicer(const RunLog& log, int slices)
      : log_(log),
        seconds_(milliseconds(log.start, log.end) / kMsPerSecond / slices),
        slices_(size_t(slices)),
        gaps_(size_t(slices)),
        steps_(size_t(slices)) {
    for (size_t i = 0; i < slices_.size(); ++i) slices_[i].second = (double(i) + 0.5) * seconds_;
  }

  std::vector<RunSlice> cut(const std::optional<Slo>& slo) {
    for (const RequestRecord& request : log_.requests) {
      if (request.finish_reason != FinishReason::refused) add_request(request, slo);
    }
    for (const StepRecord& step : log_.steps) add_step(step);
    for (size_t i = 0; i < slices_.size(); ++i) finish(i);
    return std::move(slices_);
  }

 private:
  double second_of(TimePoint at) const { return milliseconds(log_.start, at) / kMsPerSecond; }
  size_t slice_of(TimePoint at) const {
    return std::min(slices_.size() - 1, size_t(std::max(0.0, second_of(at) / seconds_)));
  }

  void add_request(const RequestRecord& request, const std::optional<Slo>& slo) {
    const double arrival = second_of(request.arrival);
    const double end = second_of(request.chunks.empty() ? log_.end : request.chunks.back().at);
    const double start = request.scheduled ? second_of(*request.scheduled) : end;
    for (RunSlice& slice : slices_) {
      if (slice.second >= arrival && slice.second < start) ++slice.waiting;
      if (slice.second >= start && slice.second < end) ++slice.running;
    }
    for (size_t i = 0; i < request.chunks.size(); ++i) {
      const Chunk& chunk = request.chunks[i];
      const size_t slice = slice_of(chunk.at);
      slices_[slice].output_tokens_per_s += double(chunk.tokens) / seconds_;
      if (i > 0) gaps_[slice].push_back(milliseconds(request.chunks[i - 1].at, chunk.at));
    }
    if (request.chunks.empty()) return;
    RunSlice& last = slices_[slice_of(request.chunks.back().at)];
    (!slo || within(*slo, request) ? last.met_per_s : last.missed_per_s) += 1 / seconds_;
  }

  void add_step(const StepRecord& step) {
    const size_t i = slice_of(step.start);
    RunSlice& slice = slices_[i];
    ++steps_[i];
    slice.kv_held_mb = double(step.kv_held_bytes) / kBytesPerMb;
    for (const StepPart& part : step.parts) {
      slice.rows_per_step += double(part.rows);
      const int64_t prompt = log_.requests[size_t(part.request)].prompt_tokens;
      const int64_t of_prompt = std::clamp<int64_t>(prompt - (part.kv_length - part.rows), 0, part.rows);
      slice.prompt_tokens_per_s += double(of_prompt) / seconds_;
    }
  }

  void finish(size_t i) {
    RunSlice& slice = slices_[i];
    std::vector<double>& gaps = gaps_[i];
    std::sort(gaps.begin(), gaps.end());
    if (!gaps.empty()) {
      slice.itl_p50_ms = percentile(gaps, kPercent50);
      slice.itl_p99_ms = percentile(gaps, kPercent99);
    }
    if (steps_[i] > 0) {
      slice.rows_per_step /= double(steps_[i]);
    } else if (i > 0) {
      slice.kv_held_mb = slices_[i - 1].kv_held_mb;
    }
  }

  const RunLog& log_;
  double seconds_;  // of a slice
  std::vector<RunSlice> slices_;
  std::vector<std::vector<double>> gaps_;
  std::vector<int64_t> steps_;
};

}  // namespace

std::vector<RunSlice> run_slices(const RunLog& log, int slices, const std::optional<Slo>& slo) {
  check(slices > 0, "a run is cut into at least one slice");
  if (log.end <= log.start) return {};
  return Slicer(log, slices).cut(slo);
}

}  // namespace stagecraft
