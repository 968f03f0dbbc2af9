/// @file
/// out[o] = dot(x, weight[o]) + bias[o] for one row: the case of decoding, where every weight is read once and used
/// once.
///
/// Memory is the limit, so all that counts is that each thread reads one long run of weights after the other without a
/// pause. kLanes rows at a time: each row's 64 partial sums stay in registers while it streams past, then kLanes rows
/// are folded together and stored as one vector.
#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/simd/linear_gemv.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/cpu/row_shares.h"
#include "kernels/cpu/simd/bf16_pairs-inl.h"
#include "kernels/cpu/simd/bias-inl.h"
#include "kernels/cpu/simd/fold-inl.h"
#include "kernels/cpu/simd/operations-inl.h"
#include "kernels/cpu/thread_pool.h"

#if STAGECRAFT_FUSED_TARGET
HWY_BEFORE_NAMESPACE();
namespace stagecraft::cpu::HWY_NAMESPACE {
namespace {

/// Weights of the shortest item of work: worth a claim, and soon done when other threads wait for its end.
constexpr int64_t kShortestItemBytes = 12 * 1024;

/// Rows [first, last) of the weights; at most kLanes of them.
template <class W>
HWY_INLINE void dot_rows(const float* x, const W* weight, WeightView bias, float* out, int64_t in, int64_t first,
                         int64_t last) {
  Vec sums[kLanes];
  for (int i = 0; i < kLanes; ++i) {
    sums[i] = first + i < last ? dot_partials<true>(x, weight + (first + i) * in, in) : hn::Zero(Floats());
  }
  store_with_bias(fold_lanes(sums), bias, first, int(last - first), out + first);
}

/// The same with bf16 weights read in pairs: `split_x` as split_pairs leaves it.
HWY_INLINE void dot_rows_by_pairs(const float* split_x, const bf16* weight, WeightView bias, float* out, int64_t in,
                                  int64_t first, int64_t last) {
  Vec even[kLanes], odd[kLanes];
  for (int i = 0; i < kLanes; ++i) {
    even[i] = odd[i] = hn::Zero(Floats());
    if (first + i >= last) continue;
    const PairPartials row = pair_partials(split_x, weight + (first + i) * in, in);
    even[i] = row.even;
    odd[i] = row.odd;
  }
  const Vec sums = hn::Add(fold_lanes(even), fold_lanes(odd));
  store_with_bias(sums, bias, first, int(last - first), out + first);
}

}  // namespace

void linear_gemv(const float* x, WeightView weight, WeightView bias, float* out, int in, int out_width, Stream stream) {
  ThreadPool& pool = *static_cast<ThreadPool*>(stream.handle);
  const int64_t row_bytes = std::max<int64_t>(1, in * bytes_of(weight.type));
  const RowShares shares(out_width, pool.threads(), kLanes, kShortestItemBytes / row_bytes);

  const auto share_rows = [&](const auto& dot) {
    pool.run(shares.items(), [&](int64_t item, int) {
      const int64_t end = shares.first(item + 1);
      for (int64_t row = shares.first(item); row < end; row += kLanes) dot(row, std::min(end, row + kLanes));
    });
  };
  if (has_whole_pairs(weight.type, in)) {
    float* split_x = pool.shared().floats(size_t(in));
    split_pairs(x, in, split_x);
    const bf16* elements = static_cast<const bf16*>(weight.data);
    share_rows([&](int64_t first, int64_t last) { dot_rows_by_pairs(split_x, elements, bias, out, in, first, last); });
    return;
  }
  with_elements(weight.type, weight.data, [&](const auto* elements) {
    share_rows([&](int64_t first, int64_t last) { dot_rows(x, elements, bias, out, in, first, last); });
  });
}

}  // namespace stagecraft::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // STAGECRAFT_FUSED_TARGET
