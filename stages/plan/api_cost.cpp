/// @file
/// Sums of tokens.
#include "stages/plan/api_cost.h"

#include <algorithm>

namespace stagecraft {
namespace {

constexpr double kTokensPerPrice = 1e6;

}  // namespace

double TokenBill::price(const ApiPrices& prices) const {
  return (input * prices.input + cached * prices.cached() + output * prices.output) / kTokensPerPrice;
}

TokenBill request_bill(double prompt_tokens, double output_tokens, double prefix_share) {
  return {prompt_tokens * (1 - prefix_share), prompt_tokens * prefix_share, output_tokens};
}

TokenBill chain_bill(const AgentChain& chain, bool cached, std::optional<int64_t> window) {
  TokenBill bill;
  const int64_t growth = chain.answer_tokens + chain.tool_tokens;
  int64_t seen = 0;  // tokens of the prompt before
  for (int64_t step = 0; step < chain.steps; ++step) {
    const int64_t whole = chain.system_tokens + step * growth;
    const int64_t sent = window ? std::min(whole, std::max(*window, chain.system_tokens)) : whole;
    // A prompt that was cut begins like the one before only as far as the system part goes.
    const bool cut = sent < whole;
    const int64_t known = step == 0 ? 0 : std::min(cut ? chain.system_tokens : seen, sent);
    bill.cached += cached ? double(known) : 0;
    bill.input += double(sent - (cached ? known : 0));
    bill.output += double(chain.answer_tokens);
    seen = sent;
  }
  return bill;
}

std::optional<int64_t> steps_where_trimming_wins(AgentChain chain, const ApiPrices& prices, int64_t window,
                                                 double discount, bool cached, int64_t most) {
  for (chain.steps = 1; chain.steps <= most; ++chain.steps) {
    const double trimmed = chain_bill(chain, cached, window).price(prices);
    const double cheaper = chain_bill(chain, cached).price(prices) * (1 - discount);
    if (trimmed < cheaper) return chain.steps;
  }
  return std::nullopt;
}

}  // namespace stagecraft
