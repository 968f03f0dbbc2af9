#pragma once
/// @file
/// What the users of somebody else's service pay: tokens x price. And chains of an agent, whose prompt is everything that
/// happened before, so that it pays for its own history again and again:
///
///     step i sends   p_i = system + (i - 1) (answer + tool)   tokens        i = 1 .. n
///     all of them    n system + (answer + tool) n (n - 1) / 2               quadratic in n
///     with caching   only what is new is paid in full: system + (n - 1) (answer + tool); the rest at the cached price
///     trimmed        p_i is at most a window: linear again
#include <cstdint>
#include <optional>

namespace stagecraft {

/// Price of a million tokens, in any currency.
struct ApiPrices {
  double input = 0, output = 0;
  std::optional<double> cached_input = {};  // of tokens that the service has seen before; absent: as input

  double cached() const { return cached_input.value_or(input); }
};

/// Tokens of requests, however many.
struct TokenBill {
  double input = 0, cached = 0, output = 0;

  /// Price of them all.
  double price(const ApiPrices& prices) const;
};

/// Of one request whose prompt is known to the service by `prefix_share`.
TokenBill request_bill(double prompt_tokens, double output_tokens, double prefix_share);

struct AgentChain {
  int64_t steps = 10;
  int64_t system_tokens = 1000;  // of the first prompt
  int64_t answer_tokens = 200;   // of each step
  int64_t tool_tokens = 800;     // what each step adds besides its answer
};

/// Tokens of one run of the chain. `cached`: the service keeps what it has seen. `window`: a prompt keeps the system part
/// and only the latest of the rest, so many tokens in all (at least the system part).
TokenBill chain_bill(const AgentChain& chain, bool cached, std::optional<int64_t> window = std::nullopt);

/// The first number of steps at which a prompt trimmed to `window` costs less than the whole one at prices that are lower
/// by `discount` (0.5: half the price); nothing if that does not happen within `most` steps.
std::optional<int64_t> steps_where_trimming_wins(AgentChain chain, const ApiPrices& prices, int64_t window,
                                                 double discount, bool cached, int64_t most = 1000);

}  // namespace stagecraft
