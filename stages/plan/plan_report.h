#pragma once
/// @file
/// Everything that a plan says, computed once; text, JSON and page only show it.
#include <optional>
#include <string>
#include <vector>

#include "stages/plan/api_cost.h"
#include "stages/plan/capacity.h"
#include "stages/plan/evaluation.h"
#include "stages/plan/levers.h"

namespace stagecraft {

/// How many replicas the peak needs, and what they cost.
struct Sizing {
  int64_t replicas = 0, gpus = 0;
  double peak_utilisation = 0;  // share of the capacity that is used in the busiest time
  double mean_utilisation = 0;  // and over the day: the machines are paid for anyway
};

/// What somebody else's service would charge for the same demand.
struct ApiPlan {
  ApiPrices prices;
  TokenBill request;            // one
  double requests_per_day = 0;  // 0: not said
  std::optional<AgentChain> chain = {};
  std::optional<int64_t> window = {};  // of trimmed prompts of the chain
};

/// What is asked.
struct PlanQuestion {
  std::optional<Service> service = {};  // absent: a question to an API only
  std::string model_source;             // where the shape comes from
  LeverOptions levers = {};
  std::optional<double> price_per_gpu_hour = {};
  std::optional<ApiPlan> api = {};
};

/// The answer about a service of one's own.
struct ServicePlan {
  Evaluation evaluation;
  std::vector<OperatingPoint> sweep;   // TPOT and throughput over requests at a time, up to what memory holds
  std::optional<ServedLoad> capacity;  // with queueing; absent: no load is within the targets
  std::optional<Sizing> sizing;        // absent: no capacity, or no rate was given
  std::vector<LeverResult> levers;
};

struct PlanReport {
  PlanQuestion question;
  std::optional<ServicePlan> plan;
};

PlanReport make_plan(const PlanQuestion& question);

/// Price of a million tokens of answers: of machines that are always busy, or with `sizing` of those that the peak needs.
std::optional<double> output_price(const PlanReport& report);

/// Requests a day from which on machines of one's own cost less than the API; nothing if one of the prices is missing.
/// The machines are the least that can serve at all: one replica.
std::optional<double> break_even_per_day(const PlanReport& report);

}  // namespace stagecraft
