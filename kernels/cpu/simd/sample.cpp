/// @file
/// The canonical sampler (kernels/sampling.h) with the scans over the whole vocabulary on vectors. Noise never exceeds
/// kMostNoise, so a token whose z lies further than that below the best score so far cannot win, and most of a
/// vocabulary is passed over without drawing noise for it.
#include <algorithm>
#include <cmath>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/simd/sample.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/cpu/simd/lanes-inl.h"
#include "kernels/cpu/simd/noise-inl.h"
#include "kernels/cpu/simd/operations-inl.h"
#include "kernels/cpu/thread_pool.h"
#include "kernels/sampling.h"

#if STAGECRAFT_FUSED_TARGET
HWY_BEFORE_NAMESPACE();
namespace stagecraft::cpu::HWY_NAMESPACE {
namespace {

/// A bound above every value of gumbel(); see there.
constexpr float kMostNoise = 17.0f;

/// e^z below this is less than one unit of probability_mass (2^-31).
constexpr float kSmallestMassZ = -22.0f;

/// How many of the most likely tokens top_p sorts at first, and how many times as many if they were too few.
constexpr size_t kFirstSorted = 256;
constexpr size_t kSortedGrowth = 8;

struct Logits {
  const float* values;  // (count)
  int count;
};

struct Largest {
  float value;
  bool has_nan;
};

Largest find_largest(Logits logits) {
  const Floats d;
  Vec largest = hn::Set(d, -kInfinity);
  auto ordered = hn::Eq(largest, largest);  // all true
  int i = 0;
  for (; i + kLanes <= logits.count; i += kLanes) {
    const Vec v = widen(logits.values + i);
    ordered = hn::And(ordered, hn::Eq(v, v));
    largest = hn::IfThenElse(hn::Gt(v, largest), v, largest);
  }
  HWY_ALIGN float lanes[kLanes];
  hn::Store(largest, d, lanes);
  Largest result{*std::max_element(lanes, lanes + kLanes), !hn::AllTrue(d, ordered)};
  for (; i < logits.count; ++i) {
    result.has_nan |= std::isnan(logits.values[i]);
    result.value = std::max(result.value, logits.values[i]);
  }
  return result;
}

/// Calls use(id) for every id with a finite logit of at least `bound`, in increasing order.
template <class Use>
void for_logits_from(float bound, Logits logits, const Use& use) {
  const Floats d;
  int i = 0;
  for (; i + kLanes <= logits.count; i += kLanes) {
    if (hn::AllFalse(d, hn::Ge(widen(logits.values + i), hn::Set(d, bound)))) continue;
    for (int id = i; id < i + kLanes; ++id) {
      if (logits.values[id] >= bound && std::isfinite(logits.values[id])) use(id);
    }
  }
  for (; i < logits.count; ++i) {
    if (logits.values[i] >= bound && std::isfinite(logits.values[i])) use(i);
  }
}

TokenId first_equal(float value, Logits logits) {
  return TokenId(std::find(logits.values, logits.values + logits.count, value) - logits.values);
}

/// A logit below which no token has z >= `z`, rounding errors included.
float logit_bound(float z, float largest, float temperature) {
  const double slack = 1e-3 * (1.0 + std::abs(double(z)));
  const double bound = double(largest) + (double(z) - slack) * double(temperature);
  const double rounding = 1e-5 * (std::abs(double(largest)) + std::abs(bound));
  return float(std::max(bound - rounding, -double(std::numeric_limits<float>::max())));
}

/// The top_k largest, then the top_p of them; unordered. See kernels/sampling.h.
std::vector<TokenId> cut(Logits logits, float largest, const SamplingRow& how) {
  const auto ranks_before = [&](TokenId a, TokenId b) {
    const float x = logits.values[a], y = logits.values[b];
    return x != y ? x > y : a < b;
  };
  const auto mass_of = [&](TokenId id) {
    return probability_mass(tempered(logits.values[id], largest, how.temperature));
  };
  // Without top_k, tokens too unlikely to have any mass need not be looked at.
  const bool all = how.top_k == kNoTopK;
  const float bound = all ? logit_bound(kSmallestMassZ, largest, how.temperature) : -std::numeric_limits<float>::max();
  std::vector<TokenId> ids;
  for_logits_from(bound, logits, [&](TokenId id) { ids.push_back(id); });
  if (!all && size_t(how.top_k) < ids.size()) {
    std::nth_element(ids.begin(), ids.begin() + how.top_k, ids.end(), ranks_before);
    ids.resize(size_t(how.top_k));
  }
  if (how.top_p >= 1.0f) return ids;

  uint64_t total = 0;
  for (const TokenId id : ids) total += mass_of(id);
  const uint64_t needed = mass_needed(how.top_p, total);
  // Most often the first few tokens have the mass that is needed: only so many are sorted, then more if they have not.
  for (size_t sorted = kFirstSorted;; sorted *= kSortedGrowth) {
    sorted = std::min(sorted, ids.size());
    const auto end = ids.begin() + std::ptrdiff_t(sorted);
    std::nth_element(ids.begin(), end, ids.end(), ranks_before);
    std::sort(ids.begin(), end, ranks_before);
    size_t kept = 0;
    uint64_t reached = 0;
    while (kept < sorted && reached < needed) reached += mass_of(ids[kept++]);
    if (reached < needed && sorted < ids.size()) continue;
    ids.resize(kept);
    return ids;
  }
}

/// The winner of the Gumbel-max race so far.
struct Race {
  Logits logits;
  float largest;
  const SamplingRow& how;
  TokenId winner;
  float winning_score = -kInfinity;

  void enter(TokenId id, float score) {
    if (score > winning_score || (score == winning_score && id < winner)) {
      winner = id;
      winning_score = score;
    }
  }
  void enter(TokenId id) { enter(id, tempered(logits.values[id], largest, how.temperature) + token_noise(how, id)); }

  /// Logits from here on can still win.
  float bound() const { return logit_bound(winning_score - kMostNoise, largest, how.temperature); }

  /// Enters kIdsTogether ids.
  void enter_together(TokenId first) {
    const Floats d;
    Vec noise[4];
    draw_noise(how, first, noise);
    for (int i = 0; i < 4; ++i) {
      const TokenId id = first + i * kLanes;
      const Vec z = hn::Div(hn::Sub(widen(logits.values + id), hn::Set(d, largest)), hn::Set(d, how.temperature));
      const Vec scores = hn::Add(z, noise[i]);
      if (hn::AllFalse(d, hn::Ge(scores, hn::Set(d, winning_score)))) continue;
      HWY_ALIGN float each[kLanes];
      hn::Store(scores, d, each);
      for (int lane = 0; lane < kLanes; ++lane) {
        if (std::isfinite(logits.values[id + lane])) enter(id + lane, each[lane]);
      }
    }
  }
};

/// True if one of kIdsTogether logits is at least `bound`.
HWY_INLINE bool any_from(float bound, const float* logits) {
  Vec largest = widen(logits);
  for (int i = 1; i < 4; ++i) largest = hn::Max(largest, widen(logits + i * kLanes));
  return !hn::AllFalse(Floats(), hn::Ge(largest, hn::Set(Floats(), bound)));
}

TokenId sample_row(Logits logits, const SamplingRow& how) {
  const Largest found = find_largest(logits);
  if (found.has_nan || !std::isfinite(found.value)) return kNoToken;
  const TokenId best = first_equal(found.value, logits);
  if (how.temperature == 0.0f) return best;

  Race race{logits, logits.values[best], how, best};
  if (how.top_k != kNoTopK || how.top_p < 1.0f) {
    for (const TokenId id : cut(logits, race.largest, how)) race.enter(id);
    return race.winner;
  }
  race.enter(best);
  float bound = race.bound();
  TokenId id = 0;
  for (; id + kIdsTogether <= logits.count; id += kIdsTogether) {
    if (!any_from(bound, logits.values + id)) continue;
    race.enter_together(id);
    bound = race.bound();
  }
  for (; id < logits.count; ++id) {
    if (std::isfinite(logits.values[id])) race.enter(id);
  }
  return race.winner;
}

}  // namespace

void sample(const float* logits, const SamplingRow* how, TokenId* out, int rows, int vocabulary, Stream stream) {
  static_cast<ThreadPool*>(stream.handle)->run(rows, [&](int64_t row, int) {
    out[row] = sample_row({logits + row * vocabulary, vocabulary}, how[row]);
  });
}

}  // namespace stagecraft::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // STAGECRAFT_FUSED_TARGET
