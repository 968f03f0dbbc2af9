#pragma once
/// @file
/// The canonical dot product in chunks of 64 elements, each of eight eighths: an eighth is what one lane loads at once,
/// and feeds eight consecutive partial sums. Linear and attention are both made of these.
#include "kernels/cuda/fold.h"
#include "kernels/cuda/vector_load.h"

namespace stagecraft::STAGECRAFT_TARGET {

/// Whether rows can be read eight elements at a time: in % 8 == 0 and the matrices are aligned to 16 bytes.
enum class Loads { by_eights, by_ones };

/// The elements row[k] ... row[k + 7] of a row of `n`. What lies past the end is not read, and its value means nothing.
template <Loads kLoads, class T>
__device__ inline Eight load_chunk(const T* row, int k, int n) {
  if constexpr (kLoads == Loads::by_eights) return load_eight(row + k);
  Eight values = {};
  SIMT_UNROLL
  for (int e = 0; e < kPartialsPerLane; ++e) {
    if (k + e < n) values.v[e] = to_float(row[k + e]);
  }
  return values;
}

/// One step of eight partial sums, from elements k ... k + 7 of rows of `n`. Elements past the end are skipped and not
/// multiplied by zero: fmaf(0, 0, -0) is +0 (EXACTNESS R5).
template <Loads kLoads>
__device__ inline void accumulate(float* partial,  // (8)
                                  const Eight& a, const Eight& b, int k, int n) {
  SIMT_UNROLL
  for (int e = 0; e < kPartialsPerLane; ++e) {
    if (kLoads == Loads::by_eights || k + e < n) partial[e] = fmaf(a.v[e], b.v[e], partial[e]);
  }
}

/// The dot product of two rows of `n` by one thread, which keeps all 64 partial sums in registers. By eights,
/// the rows are padded: eight elements can be read wherever one is.
template <Loads kLoads, class T>
__device__ inline float dot_in_lane(const float* a, const T* b, int n) {
  float partial[kPartialSums] = {};
  for (int chunk = 0; chunk < n; chunk += kPartialSums) {
    SIMT_UNROLL
    for (int eighth = 0; eighth < kPartialSums; eighth += kPartialsPerLane) {
      const int k = chunk + eighth;
      if (k >= n) break;
      const Eight x = load_chunk<kLoads>(a, k, n), y = load_chunk<kLoads>(b, k, n);
      if (k + kPartialsPerLane <= n) {
        accumulate<Loads::by_eights>(partial + eighth, x, y, k, n);
      } else {
        accumulate<Loads::by_ones>(partial + eighth, x, y, k, n);
      }
    }
  }
  return fold_in_lane(partial);
}

}  // namespace stagecraft::STAGECRAFT_TARGET
