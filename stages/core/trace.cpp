/// @file
/// From RunLog to trace events.
#include "stages/core/trace.h"

#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace stagecraft {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kProcess = 1;
constexpr int kEngineLane = 0;

int lane_of(int request) { return request + 1; }

class TraceBuilder {
 public:
  explicit TraceBuilder(TimePoint start) : start_(start) {}

  void name_lane(int lane, const std::string& name) {
    events_.push_back(
        {{"name", "thread_name"}, {"ph", "M"}, {"pid", kProcess}, {"tid", lane}, {"args", {{"name", name}}}});
  }

  void span(int lane, const char* name, TimePoint from, TimePoint to, Json arguments) {
    events_.push_back({{"name", name},
                       {"ph", "X"},
                       {"pid", kProcess},
                       {"tid", lane},
                       {"ts", microseconds(from)},
                       {"dur", microseconds(to) - microseconds(from)},
                       {"args", std::move(arguments)}});
  }

  void mark(int lane, const char* name, TimePoint at, Json arguments) {
    events_.push_back({{"name", name},
                       {"ph", "i"},
                       {"s", "t"},  // scope: its own lane
                       {"pid", kProcess},
                       {"tid", lane},
                       {"ts", microseconds(at)},
                       {"args", std::move(arguments)}});
  }

  Json take() { return {{"traceEvents", std::move(events_)}, {"displayTimeUnit", "ms"}}; }

 private:
  double microseconds(TimePoint at) const { return milliseconds(start_, at) * 1000; }

  TimePoint start_;
  Json events_ = Json::array();
};

void add_step(TraceBuilder& trace, const StepRecord& step) {
  int64_t rows = 0, recomputed = 0;
  for (const StepPart& part : step.parts) {
    rows += part.rows;
    recomputed += part.recomputed;
  }
  trace.span(kEngineLane, "forward", step.start, step.forwarded,
             {{"requests", step.parts.size()}, {"rows", rows}, {"recomputed", recomputed}});
  trace.span(kEngineLane, "sample and commit", step.forwarded, step.finished, Json::object());
}

void add_request(TraceBuilder& trace, const RequestRecord& request) {
  const int lane = lane_of(request.id);
  trace.name_lane(lane, fmt::format("request {}", request.id));
  if (!request.scheduled) return;
  trace.span(lane, "queued", request.arrival, *request.scheduled, Json::object());
  if (request.chunks.empty()) return;
  const TimePoint first = request.chunks.front().at, last = request.chunks.back().at;
  trace.span(lane, "first token", *request.scheduled, first, {{"prompt_tokens", request.prompt_tokens}});
  trace.span(lane, "decoding", first, last,
             {{"output_tokens", request.output_ids.size()}, {"finish_reason", name_of(request.finish_reason)}});
  for (const Chunk& chunk : request.chunks) trace.mark(lane, "chunk", chunk.at, {{"tokens", chunk.tokens}});
}

}  // namespace

Json trace_json(const RunLog& log) {
  TraceBuilder trace(log.start);
  trace.name_lane(kEngineLane, "engine");
  for (const StepRecord& step : log.steps) add_step(trace, step);
  for (const RequestRecord& request : log.requests) add_request(trace, request);
  return trace.take();
}

}  // namespace stagecraft
