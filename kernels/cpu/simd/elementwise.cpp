/// @file
/// The operations that work on each element, or each pair of elements, alone: embedding, rope, kv_write, swiglu, add,
/// gather_rows. Their cost is memory traffic; a single row's fits the caches and stays on the calling thread.
#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/simd/elementwise.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/cpu/simd/math-inl.h"
#include "kernels/cpu/simd/operations-inl.h"
#include "kernels/cpu/simd/rows-inl.h"

#if STAGECRAFT_FUSED_TARGET
HWY_BEFORE_NAMESPACE();
namespace stagecraft::cpu::HWY_NAMESPACE {
namespace {

template <class T>
void widen_row(const T* from, int64_t width, float* to) {
  int64_t i = 0;
  for (; i + kLanes <= width; i += kLanes) hn::StoreU(widen(from + i), Floats(), to + i);
  for (; i < width; ++i) to[i] = to_float(from[i]);
}

template <class T>
void narrow_row(const float* from, int64_t width, T* to) {
  int64_t i = 0;
  for (; i + kLanes <= width; i += kLanes) narrow(widen(from + i), to + i);
  for (; i < width; ++i) to[i] = round_to<T>(from[i]);
}

/// Rotates the pairs (left[i], right[i]); see `rotate`.
void rotate_head(float* left, float* right, const float* cosine, const float* sine, int64_t pairs) {
  const Floats d;
  int64_t i = 0;
  for (; i + kLanes <= pairs; i += kLanes) {
    const Vec l = widen(left + i), r = widen(right + i), c = widen(cosine + i), s = widen(sine + i);
    hn::StoreU(fma(l, c, hn::Neg(hn::Mul(r, s))), d, left + i);
    hn::StoreU(fma(r, c, hn::Mul(l, s)), d, right + i);
  }
  for (; i < pairs; ++i) {
    const RotatedPair pair = rotate(left[i], right[i], cosine[i], sine[i]);
    left[i] = pair.left;
    right[i] = pair.right;
  }
}

}  // namespace

void embedding(WeightView table, const TokenId* ids, float* out, int rows, int width, Stream stream) {
  with_elements(table.type, table.data, [&](const auto* elements) {
    for_rows(stream, rows, width, [&](int64_t first, int64_t last) {
      for (int64_t r = first; r < last; ++r) widen_row(elements + int64_t(ids[r]) * width, width, out + r * width);
    });
  });
}

void rope(float* x, const int32_t* positions, const float* cosines, const float* sines, int rows, int heads,
          int head_dim, Stream stream) {
  const int64_t half = head_dim / 2, width = int64_t(heads) * head_dim;
  for_rows(stream, rows, width, [&](int64_t first, int64_t last) {
    for (int64_t r = first; r < last; ++r) {
      const int64_t angles = positions[r] * half;
      for (float* head = x + r * width; head < x + (r + 1) * width; head += head_dim) {
        rotate_head(head, head + half, cosines + angles, sines + angles, half);
      }
    }
  });
}

void kv_write(const float* keys, const float* values, const int64_t* slots, KvView kv, int rows, int kv_heads,
              int head_dim, Stream stream) {
  const int64_t width = int64_t(kv_heads) * head_dim;
  with_elements(kv.type, nullptr, [&]<class T>(const T*) {
    for_rows(stream, rows, 2 * width, [&](int64_t first, int64_t last) {
      for (int64_t r = first; r < last; ++r) {
        narrow_row(keys + r * width, width, static_cast<T*>(kv.keys) + slots[r] * width);
        narrow_row(values + r * width, width, static_cast<T*>(kv.values) + slots[r] * width);
      }
    });
  });
}

void swiglu(float* gate, const float* up, int64_t n, Stream stream) {
  const Floats d;
  for_rows(stream, n, 1, [&](int64_t first, int64_t last) HWY_ATTR {
    int64_t i = first;
    for (; i + kLanes <= last; i += kLanes) {
      const Vec x = widen(gate + i);
      const Vec silu = hn::Div(x, hn::Add(hn::Set(d, 1.0f), exp(hn::Neg(x))));
      hn::StoreU(hn::Mul(silu, widen(up + i)), d, gate + i);
    }
    for (; i < last; ++i) gate[i] = exact_silu(gate[i]) * up[i];
  });
}

void add(float* x, const float* y, int64_t n, Stream stream) {
  for_rows(stream, n, 1, [&](int64_t first, int64_t last) HWY_ATTR {
    int64_t i = first;
    for (; i + kLanes <= last; i += kLanes) hn::StoreU(hn::Add(widen(x + i), widen(y + i)), Floats(), x + i);
    for (; i < last; ++i) x[i] += y[i];
  });
}

void gather_rows(const float* x, const int32_t* rows_wanted, float* out, int count, int width, Stream stream) {
  for_rows(stream, count, width, [&](int64_t first, int64_t last) {
    for (int64_t r = first; r < last; ++r) std::copy_n(x + int64_t(rows_wanted[r]) * width, width, out + r * width);
  });
}

}  // namespace stagecraft::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // STAGECRAFT_FUSED_TARGET
