/// @file
/// From question to answer.
#include "stages/plan/plan_report.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {
namespace {

constexpr double kHoursPerDay = 24;
constexpr double kAboveSteady = 1.5;  // where the search for the capacity begins, as a multiple of the steady state

/// 1, 2, 4, ... and the largest.
std::vector<OperatingPoint> sweep_of(const Service& service, int64_t most) {
  const Deployment& deployment = service.deployment;
  const CostModel cost = cost_model_of(deployment, service.demand.typical_tokens());
  std::vector<OperatingPoint> points;
  for (int64_t requests = 1; requests <= most; requests = requests < most ? std::min(2 * requests, most) : most + 1) {
    const OperatingPoint point = operating_point(cost, service.demand, deployment.step_tokens, requests);
    if (point.requests < requests) break;  // steps have no room for more
    points.push_back(point);
  }
  return points;
}

std::optional<Sizing> size_for(const Service& service, const std::optional<ServedLoad>& capacity) {
  const Demand& demand = service.demand;
  if (!capacity || !demand.requests_per_s) return std::nullopt;
  const double peak = *demand.requests_per_s * demand.peak_to_mean;
  Sizing sizing;
  sizing.replicas = std::max<int64_t>(1, int64_t(std::ceil(peak / capacity->requests_per_s)));
  sizing.gpus = sizing.replicas * service.deployment.gpus;
  const double all = double(sizing.replicas) * capacity->requests_per_s;
  sizing.peak_utilisation = peak / all;
  sizing.mean_utilisation = *demand.requests_per_s / all;
  return sizing;
}

ServicePlan plan_service(const PlanQuestion& question) {
  const Service& service = *question.service;
  ServicePlan plan;
  plan.evaluation = evaluate(service);
  plan.sweep = sweep_of(service, plan.evaluation.concurrent);
  if (plan.evaluation.best) {
    plan.capacity = capacity(service.deployment, service.demand, plan.evaluation.best->requests,
                             kAboveSteady * plan.evaluation.best->requests_per_s);
  }
  plan.sizing = size_for(service, plan.capacity);
  plan.levers = pull_levers(service, question.levers);
  return plan;
}

}  // namespace

PlanReport make_plan(const PlanQuestion& question) {
  PlanReport report{question, std::nullopt};
  if (question.service) report.plan = plan_service(question);
  return report;
}

std::optional<double> output_price(const PlanReport& report) {
  if (!report.plan || !report.plan->capacity || !report.question.price_per_gpu_hour) return std::nullopt;
  const double utilisation = report.plan->sizing ? report.plan->sizing->mean_utilisation : 1;
  const double tokens_per_s =
      report.plan->capacity->requests_per_s * double(report.question.service->demand.output_tokens);
  return price_per_million(*report.question.price_per_gpu_hour, double(report.question.service->deployment.gpus),
                           tokens_per_s, utilisation);
}

std::optional<double> break_even_per_day(const PlanReport& report) {
  if (!report.question.api || !report.question.price_per_gpu_hour || !report.question.service) return std::nullopt;
  const double a_request = report.question.api->request.price(report.question.api->prices);
  if (a_request <= 0) return std::nullopt;
  return *report.question.price_per_gpu_hour * double(report.question.service->deployment.gpus) * kHoursPerDay /
         a_request;
}

}  // namespace stagecraft
