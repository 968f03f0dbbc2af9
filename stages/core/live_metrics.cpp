/// @file
/// From records to metrics.
#include "stages/core/live_metrics.h"

#include <algorithm>
#include <array>

#include "kernels/check.h"
#include "stages/core/metrics.h"
#include "stages/core/metrics_text.h"

namespace stagecraft {
namespace {

constexpr double kMsPerSecond = 1e3;

// The bounds of vLLM's histograms.
constexpr std::array kFirstTokenBounds = {0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1,  0.25,  0.5,   0.75,
                                          1.0,   2.5,   5.0,  7.5,  10.0, 20.0, 40.0, 80.0, 160.0, 640.0, 2560.0};
constexpr std::array kTokenBounds = {0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2,  0.3,  0.4, 0.5,
                                     0.75, 1.0,   2.5,  5.0,   7.5, 10.0, 20.0, 40.0, 80.0};
constexpr std::array kRequestBounds = {0.3,  0.5,  0.8,  1.0,  1.5,   2.0,   2.5,   5.0,   10.0,   15.0,  20.0,
                                       30.0, 40.0, 50.0, 60.0, 120.0, 240.0, 480.0, 960.0, 1920.0, 7680.0};
constexpr std::array kLengthBounds = {1.0,   2.0,   5.0,    10.0,   20.0,   50.0,    100.0,   200.0,
                                      500.0, 1000., 2000.0, 5000.0, 10000., 20000.0, 50000.0, 100000.0};
constexpr std::array kStepBounds = {1.0,   8.0,    16.0,   32.0,   64.0,   128.0,  256.0,
                                    512.0, 1024.0, 2048.0, 4096.0, 8192.0, 16384.0};

class Writer {
 public:
  Writer(const RunSnapshot& run, const MetricsNames& names)
      : run_(run), names_(names), text_({{"model_name", names.model}, {"engine", "0"}}) {
    check(run.ended.size() == run.requests.size() && run.steps != nullptr,
          "a snapshot knows who has ended, and all steps");
  }

  std::string write() {
    state();
    counters();
    times();
    lengths();
    return text_.text();
  }

 private:
  void state() {
    double running = 0, waiting = 0;
    for (size_t i = 0; i < run_.requests.size(); ++i) {
      if (run_.ended[i]) continue;
      (run_.requests[i].scheduled ? running : waiting) += 1;
    }
    text_.gauge("vllm:num_requests_running", "Requests that have been started and have not ended.", running);
    text_.gauge("vllm:num_requests_waiting", "Requests that have arrived and have not been started.", waiting);
    const double held = run_.steps->empty() ? 0 : double(run_.steps->back().kv_held_bytes);
    text_.gauge("vllm:kv_cache_usage_perc", "Share of the KV pool that was handed out in the latest step, 1 is all.",
                run_.kv_capacity_bytes > 0 ? held / double(run_.kv_capacity_bytes) : 0);
  }

  void counters() {
    double prompt = 0, generated = 0, recomputed = 0, drafted = 0, accepted = 0;
    for (const StepRecord& step : *run_.steps) {
      for (const StepPart& part : step.parts) {
        recomputed += double(part.recomputed);
        drafted += double(part.drafted);
        accepted += double(part.accepted);
        prompt += double(std::max<int64_t>(0, prompt_rows(part) - part.recomputed));
      }
    }
    for (const RequestRecord& request : run_.requests) generated += double(request.output_ids.size());
    text_.counter("vllm:prompt_tokens", "Tokens of prompts that have been computed.", prompt);
    text_.counter("vllm:generation_tokens", "Tokens that have been generated.", generated);
    text_.counter("stagecraft:forward_passes", "Steps of the engine.", double(run_.steps->size()));
    text_.counter("stagecraft:tokens_recomputed", "Tokens that had been computed before.", recomputed);
    if (drafted > 0) {
      text_.counter("vllm:spec_decode_num_draft_tokens", "Tokens that were guessed.", drafted);
      text_.counter("vllm:spec_decode_num_accepted_tokens", "Guesses that were right.", accepted);
    }
    paging();
    endings();
  }

  /// Rows of a part that belong to the prompt.
  int64_t prompt_rows(const StepPart& part) const {
    const int64_t prompt = run_.requests[size_t(part.request)].prompt_tokens;
    return std::clamp<int64_t>(prompt - (part.kv_length - part.rows), 0, part.rows);
  }

  void paging() {
    bool pages = false;
    double preemptions = 0, looked_up = 0, found = 0;
    for (const RequestRecord& request : run_.requests) {
      pages |= request.prefix_hit_tokens.has_value();
      preemptions += double(request.preemptions.value_or(0));
      found += double(request.prefix_hit_tokens.value_or(0));
      if (request.scheduled) looked_up += double(request.prompt_tokens);
    }
    if (!pages) return;
    text_.counter("vllm:num_preemptions", "Requests sent back to the queue.", preemptions);
    text_.counter("vllm:prefix_cache_queries", "Tokens of prompts looked up in the prefix cache.", looked_up);
    text_.counter("vllm:prefix_cache_hits", "Tokens of prompts found there.", found);
  }

  void endings() {
    double stop = 0, length = 0, abort = 0, met = 0;
    for (size_t i = 0; i < run_.requests.size(); ++i) {
      if (!run_.ended[i]) continue;
      const RequestRecord& request = run_.requests[i];
      if (request.finish_reason == FinishReason::stop) ++stop;
      if (request.finish_reason == FinishReason::length) ++length;
      if (request.finish_reason == FinishReason::cancelled) ++abort;
      if (names_.slo && within(*names_.slo, request)) ++met;
    }
    text_.counter("vllm:request_success", "Requests that have ended.", "finished_reason",
                  {{"stop", stop}, {"length", length}, {"abort", abort}});
    if (names_.slo) text_.counter("stagecraft:requests_within_slo", "Requests that ended within both targets.", met);
  }

  void times() {
    std::vector<double> first, between, each, whole, queued;
    for (size_t i = 0; i < run_.requests.size(); ++i) {
      const RequestMetrics metrics = request_metrics(run_.requests[i]);
      if (metrics.queue_ms) queued.push_back(*metrics.queue_ms / kMsPerSecond);
      if (metrics.ttft_ms) first.push_back(*metrics.ttft_ms / kMsPerSecond);
      for (const double gap : metrics.itl_ms) between.push_back(gap / kMsPerSecond);
      if (!run_.ended[i]) continue;
      if (metrics.tpot_ms) each.push_back(*metrics.tpot_ms / kMsPerSecond);
      if (metrics.e2e_ms) whole.push_back(*metrics.e2e_ms / kMsPerSecond);
    }
    text_.histogram("vllm:time_to_first_token_seconds", "From arrival to the first token.", kFirstTokenBounds, first);
    text_.histogram("vllm:inter_token_latency_seconds", "Between chunks, as clients see them.", kTokenBounds, between);
    text_.histogram("vllm:request_time_per_output_token_seconds", "After the first token, by token.", kTokenBounds,
                    each);
    text_.histogram("vllm:e2e_request_latency_seconds", "From arrival to the last token.", kRequestBounds, whole);
    text_.histogram("vllm:request_queue_time_seconds", "From arrival to the first pass.", kRequestBounds, queued);
  }

  void lengths() {
    std::vector<double> prompts, outputs, rows;
    for (size_t i = 0; i < run_.requests.size(); ++i) {
      if (!run_.ended[i]) continue;
      prompts.push_back(double(run_.requests[i].prompt_tokens));
      outputs.push_back(double(run_.requests[i].output_ids.size()));
    }
    for (const StepRecord& step : *run_.steps) {
      double sum = 0;
      for (const StepPart& part : step.parts) sum += double(part.rows);
      rows.push_back(sum);
    }
    text_.histogram("vllm:request_prompt_tokens", "Prompts of requests that have ended.", kLengthBounds, prompts);
    text_.histogram("vllm:request_generation_tokens", "Outputs of requests that have ended.", kLengthBounds, outputs);
    text_.histogram("vllm:iteration_tokens_total", "Rows of a step.", kStepBounds, rows);
  }

  const RunSnapshot& run_;
  const MetricsNames& names_;
  MetricsText text_;
};

}  // namespace

std::string metrics_of(const RunSnapshot& snapshot, const MetricsNames& names) {
  return Writer(snapshot, names).write();
}

}  // namespace stagecraft
