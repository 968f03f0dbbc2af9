#pragma once
/// @file
/// What each change to a service would save or cost, one at a time. Every lever is the same service with one thing
/// changed, evaluated by the same arithmetic; a lever that loses is shown like the others.
#include <string>
#include <vector>

#include "stages/plan/evaluation.h"

namespace stagecraft {

struct Lever {
  std::string name;
  std::string change;  // what is changed, in numbers
  std::string price;   // what the arithmetic does not show: quality, work, risk
  Service service;
};

struct LeverResult {
  Lever lever;
  Evaluation evaluation;
};

/// Assumptions of levers that are not in the service.
struct LeverOptions {
  double prefix_share = 0.5;
  Speculation speculation = {};
};

/// The levers that `service` has not pulled already: shorter prompts and outputs, prefix caching, one request at a time
/// (batching taken away), grouped-query attention (added or taken away), 8- and 4-bit weights, 8-bit K/V, speculation at
/// the service's own batch and for one request, twice the cards, a slacker TPOT target.
std::vector<LeverResult> pull_levers(const Service& service, const LeverOptions& options);

}  // namespace stagecraft
