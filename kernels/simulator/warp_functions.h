#pragma once
/// @file
/// Barriers, fences, shuffles, votes and reductions: what threads of a block or warp do together.
///
/// Each function takes one more, defaulted argument: where it is called. So a report can say which barrier or shuffle.
#include <type_traits>

#include "kernels/simulator/keywords.h"

namespace simt::detail {

/// What the lanes of a warp do together. `exchange` is collective_fn's own function.
enum class Collective : uint8_t {
  sync,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  ballot,
  reduce_add,
  reduce_min_unsigned,
  reduce_max_unsigned,
  reduce_min_signed,
  reduce_max_signed,
  reduce_and,
  reduce_or,
  reduce_xor,
  exchange,
};

using Exchange = void (*)(void* const* lanes);

void barrier(Site site);
void fence();
/// Waits for the lanes of `mask`; `value` is this lane's, `argument` and `width` are the shuffle's.
uint64_t collective(Collective kind, unsigned mask, uint64_t value, int argument, int width, Site site);
void exchange(unsigned mask, void* mine, Exchange function, Site site);

template <class T>
SIMT_INLINE T shuffled(Collective kind, unsigned mask, T value, int argument, int width, Site site) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>, "a shuffle moves 1 to 8 bytes");
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof(T));
  bits = collective(kind, mask, bits, argument, width, site);
  memcpy(&value, &bits, sizeof(T));
  return value;
}

SIMT_INLINE unsigned reduced(Collective kind, unsigned mask, unsigned value, Site site) {
  return static_cast<unsigned>(collective(kind, mask, value, 0, 32, site));
}

}  // namespace simt::detail

namespace simt {

/// For instructions the simulator has no name for (mma, match): all lanes of `mask` meet, `function` is called once
/// with each lane's pointer (null for lanes that are absent), then all go on. The host branch of a wrapper uses it.
SIMT_INLINE void collective_fn(unsigned mask, void* mine, detail::Exchange function, Site site = Site::here()) {
  detail::exchange(mask, mine, function, site);
}

}  // namespace simt

SIMT_INLINE void __syncthreads(simt::Site site = simt::Site::here()) { simt::detail::barrier(site); }
SIMT_INLINE void __syncwarp(unsigned mask = 0xFFFFFFFFu, simt::Site site = simt::Site::here()) {
  simt::detail::collective(simt::detail::Collective::sync, mask, 0, 0, 32, site);
}
SIMT_INLINE void __threadfence() { simt::detail::fence(); }
SIMT_INLINE void __threadfence_block() { simt::detail::fence(); }

template <class T>
SIMT_INLINE T __shfl_sync(unsigned mask, T value, int lane, int width = 32, simt::Site site = simt::Site::here()) {
  return simt::detail::shuffled(simt::detail::Collective::shuffle, mask, value, lane, width, site);
}
template <class T>
SIMT_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32,
                             simt::Site site = simt::Site::here()) {
  return simt::detail::shuffled(simt::detail::Collective::shuffle_up, mask, value, static_cast<int>(by), width, site);
}
template <class T>
SIMT_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32,
                               simt::Site site = simt::Site::here()) {
  return simt::detail::shuffled(simt::detail::Collective::shuffle_down, mask, value, static_cast<int>(by), width, site);
}
template <class T>
SIMT_INLINE T __shfl_xor_sync(unsigned mask, T value, int with, int width = 32, simt::Site site = simt::Site::here()) {
  return simt::detail::shuffled(simt::detail::Collective::shuffle_xor, mask, value, with, width, site);
}

SIMT_INLINE unsigned __ballot_sync(unsigned mask, int predicate, simt::Site site = simt::Site::here()) {
  return simt::detail::reduced(simt::detail::Collective::ballot, mask, predicate != 0, site);
}
SIMT_INLINE int __any_sync(unsigned mask, int predicate, simt::Site site = simt::Site::here()) {
  return simt::detail::reduced(simt::detail::Collective::ballot, mask, predicate != 0, site) != 0;
}
SIMT_INLINE int __all_sync(unsigned mask, int predicate, simt::Site site = simt::Site::here()) {
  return simt::detail::reduced(simt::detail::Collective::ballot, mask, predicate == 0, site) == 0;
}

#define SIMT_REDUCE(name, T, kind)                                                                        \
  SIMT_INLINE T name(unsigned mask, T value, simt::Site site = simt::Site::here()) {                      \
    return static_cast<T>(                                                                                \
        simt::detail::reduced(simt::detail::Collective::kind, mask, static_cast<unsigned>(value), site)); \
  }
SIMT_REDUCE(__reduce_add_sync, unsigned, reduce_add)
SIMT_REDUCE(__reduce_add_sync, int, reduce_add)
SIMT_REDUCE(__reduce_min_sync, unsigned, reduce_min_unsigned)
SIMT_REDUCE(__reduce_min_sync, int, reduce_min_signed)
SIMT_REDUCE(__reduce_max_sync, unsigned, reduce_max_unsigned)
SIMT_REDUCE(__reduce_max_sync, int, reduce_max_signed)
SIMT_REDUCE(__reduce_and_sync, unsigned, reduce_and)
SIMT_REDUCE(__reduce_or_sync, unsigned, reduce_or)
SIMT_REDUCE(__reduce_xor_sync, unsigned, reduce_xor)
#undef SIMT_REDUCE
