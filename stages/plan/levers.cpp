/// @file
/// The list.
#include "stages/plan/levers.h"

#include <algorithm>

#include <fmt/format.h>

namespace stagecraft {
namespace {

constexpr int64_t kUsualGroup = 4;  // query heads that share a head of keys and values, where GQA is tried

class LeverList {
 public:
  explicit LeverList(const Service& service) : service_(service) {}

  /// The service with `pull` applied to it.
  template <class Pull>
  void add(std::string name, std::string change, std::string price, const Pull& pull) {
    Lever lever{std::move(name), std::move(change), std::move(price), service_};
    pull(lever.service);
    levers_.push_back(std::move(lever));
  }

  std::vector<Lever> take() { return std::move(levers_); }

 private:
  const Service& service_;
  std::vector<Lever> levers_;
};

int64_t halved(int64_t tokens) { return std::max<int64_t>(1, tokens / 2); }

/// Half of all prompts, or of all outputs: of the means, and of each request of a trace.
void halve(Demand& demand, int64_t Demand::*mean, int64_t WorkloadRequest::*tokens) {
  const int64_t saved = demand.*mean - halved(demand.*mean);
  demand.*mean = halved(demand.*mean);
  demand.longest = std::max<int64_t>(2, demand.longest - saved);
  if (!demand.trace) return;
  for (WorkloadRequest& request : demand.trace->requests) {
    request.*tokens = halved(request.*tokens);
    request.prefix.clear();
  }
}

void add_demand_levers(LeverList& list, const Service& service, const LeverOptions& options) {
  const Demand& demand = service.demand;
  list.add("shorter prompts", fmt::format("{} -> {} tokens", demand.prompt_tokens, halved(demand.prompt_tokens)),
           "less context: say only what matters",
           [](Service& s) { halve(s.demand, &Demand::prompt_tokens, &WorkloadRequest::prompt_tokens); });
  list.add("shorter outputs", fmt::format("{} -> {} tokens", demand.output_tokens, halved(demand.output_tokens)),
           "ask for brevity, set max_tokens, stop early",
           [](Service& s) { halve(s.demand, &Demand::output_tokens, &WorkloadRequest::output_tokens); });
  if (demand.prefix_share == 0) {
    list.add("prefix caching", fmt::format("{:.0f}% of prompts are known", 100 * options.prefix_share),
             "only for prompts that begin alike; K/V must stay in memory",
             [&](Service& s) { s.demand.prefix_share = options.prefix_share; });
  }
}

void add_model_levers(LeverList& list, const Service& service) {
  const ModelShape& shape = service.deployment.shape;
  if (shape.latent.kv_rank == 0 && shape.kv_heads < shape.heads) {
    list.add("without GQA", fmt::format("{} -> {} K/V heads", shape.kv_heads, shape.heads),
             "what the model's makers saved",
             [](Service& s) { s.deployment.shape.kv_heads = s.deployment.shape.heads; });
  }
  if (shape.latent.kv_rank == 0 && shape.kv_heads == shape.heads && shape.heads % kUsualGroup == 0) {
    list.add("GQA", fmt::format("{} -> {} K/V heads", shape.kv_heads, shape.heads / kUsualGroup),
             "another model, or training this one further",
             [](Service& s) { s.deployment.shape.kv_heads = s.deployment.shape.heads / kUsualGroup; });
  }
  if (service.deployment.weights == Precision::bf16) {
    list.add("8-bit weights", "bf16 -> int8", "hardly any quality; published: x1.5 to x1.9 for one request",
             [](Service& s) { s.deployment.weights = Precision::int8; });
  }
  if (service.deployment.weights != Precision::int4) {
    list.add("4-bit weights", fmt::format("{} -> int4", name_of(service.deployment.weights)),
             "some quality; published: x1.9 to x3.4 for one request",
             [](Service& s) { s.deployment.weights = Precision::int4; });
  }
  if (service.deployment.kv == Precision::bf16) {
    list.add("8-bit K/V", "bf16 -> int8", "hardly any quality", [](Service& s) { s.deployment.kv = Precision::int8; });
  }
}

void add_serving_levers(LeverList& list, const Service& service, const LeverOptions& options) {
  list.add("no batching", "one request at a time", "what continuous batching saves",
           [](Service& s) { s.batch_limit = 1; });
  const std::string guesses =
      fmt::format("{} guesses, {:.0f}% right", options.speculation.drafted, 100 * options.speculation.acceptance);
  list.add("speculation", guesses, "a drafter to run; the same tokens",
           [&](Service& s) { s.speculation = options.speculation; });
  list.add("speculation, alone", guesses + ", at batch 1", "compare with no batching", [&](Service& s) {
    s.speculation = options.speculation;
    s.batch_limit = 1;
  });
  list.add("twice the cards", fmt::format("{} -> {} a replica", service.deployment.gpus, 2 * service.deployment.gpus),
           "fast links between them", [](Service& s) { s.deployment.gpus *= 2; });
  list.add("slacker TPOT target",
           fmt::format("{:g} -> {:g} ms", service.demand.slo.tpot_ms, 2 * service.demand.slo.tpot_ms),
           "readers wait longer for each word", [](Service& s) { s.demand.slo.tpot_ms *= 2; });
}

}  // namespace

std::vector<LeverResult> pull_levers(const Service& service, const LeverOptions& options) {
  LeverList list(service);
  add_demand_levers(list, service, options);
  add_model_levers(list, service);
  add_serving_levers(list, service, options);
  std::vector<LeverResult> results;
  for (Lever& lever : list.take()) {
    Evaluation evaluation = evaluate(lever.service);
    results.push_back({std::move(lever), std::move(evaluation)});
  }
  return results;
}

}  // namespace stagecraft
