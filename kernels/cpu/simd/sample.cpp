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

/// Where to look for the most likely tokens: down to the first of these most often holds all that are wanted.
constexpr float kStepsDown[] = {-2.0f, -4.0f, -8.0f, -16.0f, kSmallestMassZ};

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

/// The sum of all tokens' probability_mass.
uint64_t total_mass(Logits logits, float largest, float temperature) {
  const Floats d;
  const Words words;
  const hn::Repartition<uint64_t, Words> wide;
  auto sum = hn::Zero(wide);
  uint64_t rest = 0;
  int i = 0;
  for (; i + kLanes <= logits.count; i += kLanes) {
    const Vec z = hn::Div(hn::Sub(widen(logits.values + i), hn::Set(d, largest)), hn::Set(d, temperature));
    // 2^31 itself, of a token as likely as the largest, does not fit an int32: such tokens are counted.
    const Vec mass = hn::Mul(exp(z), hn::Set(d, 0x1p31f));
    const auto is_whole = hn::Ge(mass, hn::Set(d, 0x1p31f));
    rest += uint64_t(hn::CountTrue(d, is_whole)) << 31;
    const WordVec units = hn::BitCast(words, hn::ConvertTo(Integers(), hn::IfThenZeroElse(is_whole, mass)));
    const auto pairs = hn::BitCast(wide, units);
    sum = hn::Add(sum, hn::Add(hn::And(pairs, hn::Set(wide, 0xFFFFFFFFu)), hn::ShiftRight<32>(pairs)));
  }
  HWY_ALIGN uint64_t lanes[kLanes / 2];
  hn::Store(sum, wide, lanes);
  for (const uint64_t lane : lanes) rest += lane;
  for (; i < logits.count; ++i) {
    if (std::isfinite(logits.values[i])) rest += probability_mass(tempered(logits.values[i], largest, temperature));
  }
  return rest;
}

/// The first tokens by rank (largest logit, then lowest id), unordered: at least the first that enough(ids) accepts, or
/// all with a finite logit.
template <class Enough>
std::vector<TokenId> first_ranks(Logits logits, float largest, float temperature, const Enough& enough) {
  const auto from = [&](float bound) {
    std::vector<TokenId> ids;
    for_logits_from(bound, logits, [&](TokenId id) { ids.push_back(id); });
    return ids;
  };
  for (const float z : kStepsDown) {
    std::vector<TokenId> ids = from(logit_bound(z, largest, temperature));
    if (enough(ids)) return ids;
  }
  return from(-std::numeric_limits<float>::max());
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
  const auto mass_of_all = [&](const std::vector<TokenId>& ids) {
    uint64_t mass = 0;
    for (const TokenId id : ids) mass += mass_of(id);
    return mass;
  };
  std::vector<TokenId> ids;
  uint64_t needed = 0;  // of the mass, by top_p
  if (how.top_k != kNoTopK) {
    const auto wanted = size_t(how.top_k);
    ids = first_ranks(logits, largest, how.temperature, [&](const auto& found) { return found.size() >= wanted; });
    if (wanted < ids.size()) {
      std::nth_element(ids.begin(), ids.begin() + how.top_k, ids.end(), ranks_before);
      ids.resize(wanted);
    }
    if (how.top_p >= 1.0f) return ids;
    needed = mass_needed(how.top_p, mass_of_all(ids));
  } else {
    needed = mass_needed(how.top_p, total_mass(logits, largest, how.temperature));
    ids =
        first_ranks(logits, largest, how.temperature, [&](const auto& found) { return mass_of_all(found) >= needed; });
  }
  std::sort(ids.begin(), ids.end(), ranks_before);
  size_t kept = 0;
  for (uint64_t reached = 0; kept < ids.size() && reached < needed;) reached += mass_of(ids[kept++]);
  ids.resize(kept);
  return ids;
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
