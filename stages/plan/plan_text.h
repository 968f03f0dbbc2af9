#pragma once
/// @file
/// A plan for a terminal.
#include <optional>
#include <string>

#include "stages/plan/plan_report.h"

namespace stagecraft {

/// Everything, in sections.
std::string plan_text(const PlanReport& report);

/// The tables of models and cards with their sources, for --list.
std::string tables_text();

// What the page says in the same words.

/// "7.31 GB": units of 10^9 bytes.
std::string gigabytes(double bytes);

/// "-38%" or "+112%": how something changed of which less is better; "cannot" if it is not possible any more, "now can"
/// if it was not.
std::string change_text(const std::optional<double>& before, const std::optional<double>& after);

/// A lever's row: seconds of cards a request, TTFT and TPOT of a request alone, requests at a time; each after and before.
struct LeverNumbers {
  struct Pair {
    std::optional<double> before, after;
  };
  Pair gpu_seconds, ttft_ms, tpot_ms, requests;
};
LeverNumbers numbers_of(const LeverResult& lever, const ServicePlan& plan, const Service& service);

/// What the arithmetic takes for granted, a line each.
std::vector<std::string> assumptions_of(const Service& service);

/// Names and values of the parts "API" and "agent"; empty where they were not asked for.
std::vector<std::pair<std::string, std::string>> api_lines(const PlanReport& report);
std::vector<std::pair<std::string, std::string>> chain_lines(const PlanReport& report);

}  // namespace stagecraft
