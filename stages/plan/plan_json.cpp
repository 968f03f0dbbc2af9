/// @file
/// Fields.
#include "stages/plan/plan_json.h"

#include <nlohmann/json.hpp>

#include "stages/plan/plan_text.h"

namespace stagecraft {
namespace {

using Json = nlohmann::ordered_json;

Json model_json(const PlanQuestion& question) {
  const ModelShape& shape = question.service->deployment.shape;
  Json json = {{"name", shape.name},
               {"source", question.model_source},
               {"parameters", count_parameters(shape).total()},
               {"active_parameters", active_parameters(shape)},
               {"layers", shape.layers},
               {"heads", shape.heads},
               {"kv_heads", shape.kv_heads},
               {"head_dim", shape.head_dim},
               {"vocabulary", shape.vocabulary}};
  if (shape.experts.count > 0) {
    json["experts"] = shape.experts.count;
    json["experts_per_token"] = shape.experts.per_token;
  }
  return json;
}

Json deployment_json(const Deployment& deployment) {
  const Gpu& gpu = deployment.gpu;
  return {{"name", gpu.name},
          {"source", gpu.source},
          {"memory_gb", gpu.memory_gb},
          {"bandwidth_gbs", gpu.bandwidth_gbs},
          {"dense_bf16_tflops", gpu.dense_tflops},
          {"per_replica", deployment.gpus},
          {"weights", name_of(deployment.weights)},
          {"kv", name_of(deployment.kv)},
          {"bandwidth_efficiency", deployment.efficiency.bandwidth},
          {"flop_efficiency", deployment.efficiency.flop},
          {"overhead_us", deployment.efficiency.overhead_us},
          {"all_reduce_us", deployment.efficiency.all_reduce_us},
          {"memory_share", deployment.memory_share},
          {"step_tokens", deployment.step_tokens}};
}

Json demand_json(const Demand& demand) {
  Json json = {{"prompt_tokens", demand.prompt_tokens},
               {"output_tokens", demand.output_tokens},
               {"longest", demand.longest},
               {"prefix_share", demand.prefix_share},
               {"ttft_target_ms", demand.slo.ttft_ms},
               {"tpot_target_ms", demand.slo.tpot_ms}};
  if (demand.trace) json["trace"] = demand.trace->name;
  if (demand.requests_per_s) {
    json["requests_per_s"] = *demand.requests_per_s;
    json["peak_to_mean"] = demand.peak_to_mean;
  }
  return json;
}

Json point_json(const OperatingPoint& point) {
  return {{"requests", point.requests},
          {"tpot_ms", point.tpot_ms},
          {"output_tokens_per_s", point.tokens_per_s},
          {"requests_per_s", point.requests_per_s}};
}

Json load_json(const ServedLoad& load, const Demand& demand) {
  Json json = {{"requests_per_s", load.requests_per_s},
               {"output_tokens_per_s", load.requests_per_s * double(demand.output_tokens)},
               {"attainment", load.attainment}};
  const auto add = [&](const char* name, const std::optional<Summary>& summary) {
    if (summary) json[name] = {{"p50", summary->p50}, {"p90", summary->p90}, {"p99", summary->p99}};
  };
  add("ttft_ms", load.latency.ttft);
  add("tpot_ms", load.latency.tpot);
  return json;
}

Json lever_json(const LeverResult& lever, const ServicePlan& plan, const Service& service) {
  const LeverNumbers numbers = numbers_of(lever, plan, service);
  Json json = {{"name", lever.lever.name}, {"change", lever.lever.change}, {"price", lever.lever.price}};
  const auto add = [&](const char* name, const LeverNumbers::Pair& pair) {
    if (pair.after) json[name] = *pair.after;
    if (pair.before && pair.after && *pair.before > 0) json[std::string(name) + "_ratio"] = *pair.after / *pair.before;
  };
  add("gpu_seconds_per_request", numbers.gpu_seconds);
  add("ttft_alone_ms", numbers.ttft_ms);
  add("tpot_alone_ms", numbers.tpot_ms);
  add("requests_at_a_time", numbers.requests);
  return json;
}

void add_service(Json& json, const PlanReport& report) {
  const ServicePlan& plan = *report.plan;
  const Service& service = *report.question.service;
  const MemoryPlan& memory = plan.evaluation.memory;
  json["model"] = model_json(report.question);
  json["gpu"] = deployment_json(service.deployment);
  json["demand"] = demand_json(service.demand);
  json["memory_bytes"] = {{"total", memory.total},
                          {"weights", memory.weights},
                          {"activations", memory.activations},
                          {"left_out", memory.left_out},
                          {"kv_room", memory.kv_room}};
  json["concurrent_requests"] = plan.evaluation.concurrent;
  json["concurrent_longest_requests"] = plan.evaluation.concurrent_longest;
  json["alone"] = {{"ttft_ms", plan.evaluation.ttft_ms}, {"tpot_ms", plan.evaluation.tpot_alone_ms}};
  if (plan.evaluation.best) json["full"] = point_json(*plan.evaluation.best);
  if (plan.capacity) json["capacity"] = load_json(*plan.capacity, service.demand);
  if (plan.sizing) {
    json["sizing"] = {{"replicas", plan.sizing->replicas},
                      {"gpus", plan.sizing->gpus},
                      {"peak_utilisation", plan.sizing->peak_utilisation},
                      {"mean_utilisation", plan.sizing->mean_utilisation}};
  }
  if (const auto price = output_price(report)) json["price_per_million_output_tokens"] = *price;
  json["sweep"] = Json::array();
  for (const OperatingPoint& point : plan.sweep) json["sweep"].push_back(point_json(point));
  json["levers"] = Json::array();
  for (const LeverResult& lever : plan.levers) json["levers"].push_back(lever_json(lever, plan, service));
  json["assumed"] = assumptions_of(service);
}

Json bill_json(const TokenBill& bill, const ApiPrices& prices) {
  return {{"input_tokens", bill.input},
          {"cached_tokens", bill.cached},
          {"output_tokens", bill.output},
          {"price", bill.price(prices)}};
}

Json api_json(const PlanReport& report) {
  const ApiPlan& api = *report.question.api;
  Json json = {{"request", bill_json(api.request, api.prices)}};
  if (api.requests_per_day > 0) json["price_per_day"] = api.requests_per_day * api.request.price(api.prices);
  if (const auto even = break_even_per_day(report)) json["break_even_requests_per_day"] = *even;
  if (!api.chain) return json;
  json["chain"] = {{"whole", bill_json(chain_bill(*api.chain, false), api.prices)},
                   {"cached", bill_json(chain_bill(*api.chain, true), api.prices)}};
  if (api.window) {
    json["chain"]["trimmed"] = bill_json(chain_bill(*api.chain, false, api.window), api.prices);
    json["chain"]["trimmed_cached"] = bill_json(chain_bill(*api.chain, true, api.window), api.prices);
  }
  return json;
}

}  // namespace

Json plan_json(const PlanReport& report) {
  Json json;
  if (report.plan) add_service(json, report);
  if (report.question.api) json["api"] = api_json(report);
  return json;
}

}  // namespace stagecraft
