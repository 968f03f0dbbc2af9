/// @file
/// From RunLog to trace events.
#include "stages/core/trace.h"

#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace stagecraft {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kEngineLane = 0;

int lane_of(int request) { return request + 1; }

/// Appends the events of one process, whose time begins at `start`.
class TraceBuilder {
 public:
  TraceBuilder(Json& events, int process, TimePoint start) : events_(events), process_(process), start_(start) {}

  void name_process(const std::string& name) {
    events_.push_back({{"name", "process_name"}, {"ph", "M"}, {"pid", process_}, {"args", {{"name", name}}}});
  }

  void name_lane(int lane, const std::string& name) {
    events_.push_back(
        {{"name", "thread_name"}, {"ph", "M"}, {"pid", process_}, {"tid", lane}, {"args", {{"name", name}}}});
  }

  void span(int lane, const char* name, TimePoint from, TimePoint to, Json arguments) {
    events_.push_back({{"name", name},
                       {"ph", "X"},
                       {"pid", process_},
                       {"tid", lane},
                       {"ts", microseconds(from)},
                       {"dur", microseconds(to) - microseconds(from)},
                       {"args", std::move(arguments)}});
  }

  void mark(int lane, const char* name, TimePoint at, Json arguments) {
    events_.push_back({{"name", name},
                       {"ph", "i"},
                       {"s", "t"},  // scope: its own lane
                       {"pid", process_},
                       {"tid", lane},
                       {"ts", microseconds(at)},
                       {"args", std::move(arguments)}});
  }

 private:
  double microseconds(TimePoint at) const { return milliseconds(start_, at) * 1000; }

  Json& events_;
  int process_;
  TimePoint start_;
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

Json trace_json(const std::vector<NamedLog>& runs) {
  Json events = Json::array();
  int process = 0;
  for (const NamedLog& run : runs) {
    TraceBuilder trace(events, ++process, run.log.start);
    trace.name_process(run.name);
    trace.name_lane(kEngineLane, "engine");
    for (const StepRecord& step : run.log.steps) add_step(trace, step);
    for (const RequestRecord& request : run.log.requests) add_request(trace, request);
  }
  return {{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"}};
}

}  // namespace stagecraft
