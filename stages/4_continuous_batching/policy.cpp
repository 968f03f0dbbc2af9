/// @file
/// Names of the policies.
#include "stages/4_continuous_batching/policy.h"

#include <array>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {
namespace {

constexpr std::array kPolicies = {Policy::fcfs, Policy::shortest_prompt_first, Policy::priority};

}  // namespace

std::string_view name_of(Policy policy) {
  switch (policy) {
    case Policy::fcfs:
      return "fcfs";
    case Policy::shortest_prompt_first:
      return "shortest-prompt-first";
    case Policy::priority:
      return "priority";
  }
  return "unknown";
}

Policy policy_from(std::string_view name) {
  for (const Policy policy : kPolicies) {
    if (name == name_of(policy)) return policy;
  }
  throw BadInput(fmt::format("there is no scheduling policy '{}'", name),
                 "the policies are fcfs, shortest-prompt-first and priority");
}

}  // namespace stagecraft
