#include "stages/compare/compare_json.h"

#include <nlohmann/json.hpp>

#include "stages/core/report_json.h"

namespace stagecraft {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of_change(Change change) {
  return change == Change::gain ? "gain" : change == Change::loss ? "loss" : "none";
}

Json cell_json(const LadderCell& cell) {
  Json json{{"median", cell.value->median}, {"least", cell.value->least}, {"most", cell.value->most}};
  if (cell.ratio) json["ratio_to_previous"] = *cell.ratio;
  json["change"] = name_of_change(cell.change);
  return json;
}

Json predictions_json(const StageRuns& stage, const Roofline& roofline) {
  Json json = Json::object();
  for (const Prediction& prediction : predictions_for(stage, roofline)) {
    json[std::string(prediction.metric.key)] = {{"measured", prediction.measured},
                                                {"predicted", prediction.predicted},
                                                {"error_percent", prediction.error_percent()}};
  }
  return json;
}

Json stages_json(const Comparison& comparison) {
  const std::vector<LadderRow> rows = ladder_of(comparison.stages);
  Json stages = Json::array();
  for (size_t i = 0; i < comparison.stages.size(); ++i) {
    const StageRuns& stage = comparison.stages[i];
    Json json = report_json(stage.typical());
    json["ladder"] = Json::object();
    for (const LadderRow& row : rows) {
      if (row.cells[i].value) json["ladder"][std::string(row.metric.key)] = cell_json(row.cells[i]);
    }
    if (comparison.prediction) json["prediction"] = predictions_json(stage, *comparison.prediction);
    stages.push_back(std::move(json));
  }
  return stages;
}

Json sweep_json(const std::vector<BatchPoint>& sweep) {
  Json points = Json::array();
  for (const BatchPoint& point : sweep) {
    Json json{{"stage", point.stage.number}, {"batch", point.batch}, {"output_tokens_per_s", point.tokens_per_s}};
    if (point.predicted_tokens_per_s) json["predicted_tokens_per_s"] = *point.predicted_tokens_per_s;
    points.push_back(std::move(json));
  }
  return points;
}

Json slice_json(const TraceSlice& slice) {
  Json json{{"workload", slice.name}, {"clocks", Json::array()}};
  for (const SliceRow& row : slice.rows) {
    json["clocks"].push_back({{"clock", row.clock},
                              {"static_ms", row.static_ms},
                              {"continuous_ms", row.continuous_ms},
                              {"ratio", row.ratio()},
                              {"share_of_constant_step", slice.share(row)}});
    if (row.spread_percent) json["clocks"].back()["spread_percent"] = *row.spread_percent;
  }
  return json;
}

}  // namespace

Json comparison_json(const Comparison& comparison) {
  const WorkloadSummary& workload = comparison.workload;
  Json json{{"program", "compare"},
            {"workload",
             {{"name", workload.name},
              {"requests", workload.requests},
              {"prompt_tokens", workload.prompt_tokens},
              {"output_tokens", workload.output_tokens}}},
            {"repeat", comparison.stages.front().rounds.size()},
            {"batch", comparison.limits.batch},
            {"token_budget", comparison.limits.token_budget},
            {"outputs_equal", true}};
  if (comparison.machine.read_bandwidth_gbs) json["read_bandwidth_gbs"] = *comparison.machine.read_bandwidth_gbs;
  if (comparison.machine.peak_gflops) json["peak_gflops"] = *comparison.machine.peak_gflops;
  json["stages"] = stages_json(comparison);
  if (!comparison.sweep.empty()) json["throughput_over_batch"] = sweep_json(comparison.sweep);
  if (!comparison.slices.empty()) json["continuous_over_static"] = Json::array();
  for (const TraceSlice& slice : comparison.slices) json["continuous_over_static"].push_back(slice_json(slice));
  return json;
}

}  // namespace stagecraft
