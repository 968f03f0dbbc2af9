/// @file
/// Accept, replace, or add the bonus.
#include "stages/6_speculative_decoding/rejection_sampling.h"

#include "kernels/check.h"

namespace stagecraft {

double uniform_at(uint64_t seed, int64_t position, NoiseStream stream) {
  const uint64_t place = uint64_t(position);
  const PhiloxWords words = philox(seed, {{0, uint32_t(place), uint32_t(place >> 32), uint32_t(stream)}});
  const uint64_t bits = uint64_t(words.word[0]) << 32 | words.word[1];
  return double(bits >> 11) * 0x1p-53;
}

JudgingNoise judging_noise(uint64_t seed, int64_t position) {
  return {uniform_at(seed, position, NoiseStream::accept), uniform_at(seed, position, NoiseStream::residual)};
}

// u < p / q without the division. u < 1, so what p likes at least as much as q is always accepted.
bool is_accepted(TokenId id, const Distribution& p, const Distribution& q, double uniform) {
  return uniform * q.of(id) < p.of(id);
}

Distribution residual(const Distribution& p, const Distribution& q) {
  std::vector<Distribution::Part> more;
  for (const auto& [id, probability] : p.parts()) more.push_back({id, probability - q.of(id)});
  Distribution rest = Distribution::proportional_to(std::move(more));
  return rest.empty() ? p : rest;
}

Verdict verify_by_rejection(const Draft& draft, std::span<const Distribution> target,
                            const std::function<JudgingNoise(size_t)>& noise) {
  check(target.size() == draft.size() + 1, "a row of the target for each drafted token, and one more");
  Verdict verdict;
  for (size_t i = 0; i < draft.size(); ++i) {
    const TokenId id = draft.tokens[i];
    const Distribution q = draft.drawn_from.empty() ? Distribution::certain(id) : draft.drawn_from[i];
    check(q.of(id) > 0.0, "a drafted token can be drawn from the distribution that goes with it");
    const JudgingNoise uniform = noise(i);
    if (!is_accepted(id, target[i], q, uniform.accept)) {
      verdict.tokens.push_back(residual(target[i], q).draw(uniform.residual));
      return verdict;
    }
    verdict.tokens.push_back(id);
    ++verdict.accepted;
  }
  verdict.tokens.push_back(target[draft.size()].draw(noise(draft.size()).residual));
  return verdict;
}

Verdict verify_by_rejection(const Draft& draft, std::span<const Distribution> target, uint64_t seed,
                            int64_t first_position) {
  return verify_by_rejection(draft, target, [&](size_t i) { return judging_noise(seed, first_position + int64_t(i)); });
}

}  // namespace stagecraft
