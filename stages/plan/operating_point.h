#pragma once
/// @file
/// A service in steady state, by arithmetic: so many requests run at a time, and each that ends makes room for the next.
///
/// While each of B requests gets its o tokens, B prompts of p tokens are computed as well, one in a step, or as many rows
/// as it takes to keep up. Of o steps some carry such a chunk and the others do not:
///
///     chunk    =  max( p, B p / o ), at most the room that a step of C rows has
///     mixed    =  B p / chunk
///     TPOT     =  ( mixed x step(B rows + chunk) + (o - mixed) x step(B rows) ) / o
///     tokens/s =  B / TPOT
///
/// More requests than C o / (p + o) cannot be answered at a time: every step is full then, and the rest waits.
///
/// Speculation (Leviathan et al., 2023): k guesses are checked with the token before them, of which on average
/// (1 - a^(k+1)) / (1 - a) tokens come out; making them costs k passes of a model that takes c of the time.
#include <cstdint>
#include <optional>

#include "stages/core/cost_model.h"
#include "stages/plan/demand.h"

namespace stagecraft {

struct Speculation {
  int64_t drafted = 4;       // k
  double acceptance = 0.7;   // a: a guess is right, if those before it were
  double draft_cost = 0.05;  // c

  /// Tokens that a step yields.
  double tokens_per_step() const;
};

struct OperatingPoint {
  int64_t requests = 0;     // that are answered at a time
  double tpot_ms = 0;       // of a request among them, prompts of others included
  double tokens_per_s = 0;  // answers, all requests together
  double requests_per_s = 0;
};

/// Milliseconds until the first token of a request that has the machine to itself.
double lone_ttft_ms(const CostModel& cost, const Demand& demand, int64_t step_tokens);

/// `requests` at a time, or as many of them as steps have room for.
OperatingPoint operating_point(const CostModel& cost, const Demand& demand, int64_t step_tokens, int64_t requests,
                               const std::optional<Speculation>& speculation = std::nullopt);

/// The point with the most requests, up to `most`, whose TPOT is within the target; nothing if not even one request is
/// fast enough.
std::optional<OperatingPoint> best_point(const CostModel& cost, const Demand& demand, int64_t step_tokens, int64_t most,
                                         const std::optional<Speculation>& speculation = std::nullopt);

}  // namespace stagecraft
