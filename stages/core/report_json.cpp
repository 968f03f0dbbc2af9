/// @file
/// From RunReport to JSON, field by field.
#include "stages/core/report_json.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace stagecraft {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
void put_if(Json& object, const char* key, const std::optional<T>& value) {
  if (value) object[key] = *value;
}

Json request_json(const RequestRecord& request) {
  const RequestMetrics metrics = request_metrics(request);
  Json json{{"id", request.id},
            {"prompt_tokens", request.prompt_tokens},
            {"output_ids", request.output_ids},
            {"text", request.text},
            {"finish_reason", name_of(request.finish_reason)}};
  put_if(json, "refusal", request.refusal);
  put_if(json, "queue_ms", metrics.queue_ms);
  put_if(json, "ttft_ms", metrics.ttft_ms);
  put_if(json, "tpot_ms", metrics.tpot_ms);
  if (metrics.ttft_ms) json["itl_ms"] = metrics.itl_ms;
  put_if(json, "e2e_ms", metrics.e2e_ms);
  put_if(json, "preemptions", request.preemptions);
  put_if(json, "prefix_hit_tokens", request.prefix_hit_tokens);
  return json;
}

Json counts_json(const Counts& counts) {
  Json json{{"forward_passes", counts.forward_passes},
            {"tokens_forwarded", counts.tokens_forwarded},
            {"tokens_recomputed", counts.tokens_recomputed}};
  put_if(json, "padded_tokens", counts.padded_tokens);
  json["weight_bytes_read"] = counts.weight_bytes_read;
  json["kv_bytes_reserved_peak"] = counts.kv_bytes_reserved_peak;
  json["kv_bytes_used_peak"] = counts.kv_bytes_used_peak;
  json["kv_bytes_read"] = counts.kv_bytes_read;
  put_if(json, "drafted", counts.drafted);
  put_if(json, "accepted", counts.accepted);
  put_if(json, "target_passes", counts.target_passes);
  return json;
}

Json totals_json(const Totals& totals) {
  Json json{{"duration_ms", totals.duration_ms}};
  put_if(json, "output_tokens_per_s", totals.output_tokens_per_s);
  put_if(json, "total_tokens_per_s", totals.total_tokens_per_s);
  put_if(json, "requests_per_s", totals.requests_per_s);
  put_if(json, "mbu", totals.mbu);
  put_if(json, "mfu", totals.mfu);
  return json;
}

Json goodput_json(const RunLog& log, const Slo& slo) {
  const Goodput goodput = goodput_of(log, slo);
  Json json;
  if (std::isfinite(slo.ttft_ms)) json["ttft_target_ms"] = slo.ttft_ms;
  if (std::isfinite(slo.tpot_ms)) json["tpot_target_ms"] = slo.tpot_ms;
  json["met"] = goodput.met;
  json["requests"] = goodput.requests;
  json["requests_per_s"] = goodput.requests_per_s;
  return json;
}

}  // namespace

Json report_json(const RunReport& report) {
  Json json{{"stage", report.stage.number},
            {"name", report.stage.name},
            {"device", report.device},
            {"threads", report.threads},
            {"model",
             {{"architecture", report.model.architecture},
              {"parameters", report.model.parameters},
              {"weight_bytes", report.model.weight_bytes},
              {"dtype", report.model.dtype}}}};
  json["requests"] = Json::array();
  for (const RequestRecord& request : report.log.requests) json["requests"].push_back(request_json(request));
  json["counts"] = counts_json(report.counts);
  json["totals"] = totals_json(report.totals);
  if (report.slo) json["goodput"] = goodput_json(report.log, *report.slo);
  json["machine"] = Json::object();
  put_if(json["machine"], "cpu", report.cpu);
  json["machine"]["read_bandwidth_gbs"] = nullptr;  // null, not absent: every machine has one, it may not be measured
  put_if(json["machine"], "read_bandwidth_gbs", report.limits.read_bandwidth_gbs);
  return json;
}

}  // namespace stagecraft
