/// @file
/// Mixed steps and plain ones.
#include "stages/plan/operating_point.h"

#include <algorithm>
#include <cmath>

#include "kernels/check.h"

namespace stagecraft {
namespace {

constexpr double kNsPerMs = 1e6, kMsPerSecond = 1e3;

/// `requests` that decode, beside a chunk of `chunk` rows of one prompt (0: none).
std::vector<StepPart> parts_of(const Demand& demand, int64_t requests, int64_t rows_each, int64_t chunk) {
  std::vector<StepPart> parts(size_t(requests), StepPart{0, rows_each, 0, demand.typical_tokens() + rows_each - 1});
  // A chunk in the middle of the prompt: half of what is shared and computed lies before it.
  if (chunk > 0) parts.push_back({0, chunk, 0, std::max(chunk, (demand.prompt_tokens + chunk) / 2)});
  return parts;
}

double step_ms(const CostModel& cost, const std::vector<StepPart>& parts) {
  return double(cost.step_ns(parts)) / kNsPerMs;
}

/// Milliseconds of the passes that make the guesses of a step.
double draft_ms(const CostModel& cost, const Demand& demand, int64_t requests,
                const std::optional<Speculation>& speculation) {
  if (!speculation) return 0;
  return double(speculation->drafted) * speculation->draft_cost * step_ms(cost, parts_of(demand, requests, 1, 0));
}

}  // namespace

double Speculation::tokens_per_step() const {
  if (acceptance >= 1) return double(drafted + 1);
  return (1 - std::pow(acceptance, double(drafted + 1))) / (1 - acceptance);
}

double lone_ttft_ms(const CostModel& cost, const Demand& demand, int64_t step_tokens) {
  const int64_t known = demand.prompt_tokens - demand.computed_prompt();
  double ms = 0;
  for (int64_t done = known; done < demand.prompt_tokens;) {
    const int64_t rows = std::min(step_tokens, demand.prompt_tokens - done);
    done += rows;
    ms += step_ms(cost, {{0, rows, 0, done}});
  }
  return ms;
}

OperatingPoint operating_point(const CostModel& cost, const Demand& demand, int64_t step_tokens, int64_t requests,
                               const std::optional<Speculation>& speculation) {
  check(requests > 0, "somebody is served");
  const int64_t rows_each = speculation ? speculation->drafted + 1 : 1;
  const double steps = double(demand.output_tokens) / (speculation ? speculation->tokens_per_step() : 1);
  const auto prompt = double(demand.computed_prompt());
  const auto most_decoding = int64_t(double(step_tokens) / (double(rows_each) + prompt / steps));
  const int64_t decoding = std::clamp<int64_t>(most_decoding, 1, requests);

  const double prompt_rows = double(decoding) * prompt;
  const int64_t room = std::max<int64_t>(1, step_tokens - decoding * rows_each);
  // Requests come one by one, so a step has one prompt to compute, or as much as they need on average.
  const auto chunk = std::min<int64_t>(room, int64_t(std::ceil(std::max(prompt, prompt_rows / steps))));
  const double mixed = prompt_rows / double(chunk);
  const double ms = mixed * step_ms(cost, parts_of(demand, decoding, rows_each, chunk)) +
                    std::max(0.0, steps - mixed) * step_ms(cost, parts_of(demand, decoding, rows_each, 0)) +
                    steps * draft_ms(cost, demand, decoding, speculation);
  OperatingPoint point{decoding, ms / double(demand.output_tokens), 0, 0};
  point.tokens_per_s = double(decoding) / point.tpot_ms * kMsPerSecond;
  point.requests_per_s = point.tokens_per_s / double(demand.output_tokens);
  return point;
}

std::optional<OperatingPoint> best_point(const CostModel& cost, const Demand& demand, int64_t step_tokens, int64_t most,
                                         const std::optional<Speculation>& speculation) {
  const auto at = [&](int64_t requests) { return operating_point(cost, demand, step_tokens, requests, speculation); };
  int64_t good = 0, bad = most + 1;
  while (good + 1 < bad) {
    const int64_t middle = good + (bad - good) / 2;
    (at(middle).tpot_ms <= demand.slo.tpot_ms ? good : bad) = middle;
  }
  if (good == 0) return std::nullopt;
  return at(good);
}

}  // namespace stagecraft
