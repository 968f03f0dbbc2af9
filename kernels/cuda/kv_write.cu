/// @file
/// Stores this pass's keys and values in the KV cache, rounded to its type (EXACTNESS R4: store before load).
///
///     keys, values  (rows, kv_heads, head_dim)   fp32
///     slots         (rows)                       where each row goes, all different
///     kv            (slots, kv_heads, head_dim)  bf16, fp16 or fp32
///
/// One thread a pair of elements: head_dim is even, so a pair never straddles two rows, and two bf16 make one 4-byte
/// store. Needed from stage 1 on.
#include "kernels/cuda/launch.h"
#include "kernels/cuda/operations.h"
#include "kernels/cuda/vector_load.h"

namespace stagecraft::STAGECRAFT_TARGET {
namespace {

constexpr int kThreads = 128;

/// grid: (rows, ceil(width / 2 / kThreads), 2: keys, values)   block: kThreads
template <class T>
__global__ void kv_write_kernel(const float* keys,     // (rows, width)
                                const float* values,   // (rows, width)
                                const int64_t* slots,  // (rows)
                                T* key_cache,          // (slots, width)
                                T* value_cache,        // (slots, width)
                                int width) {
  const int64_t row = blockIdx.x;
  const int64_t i = (int64_t(blockIdx.y) * kThreads + threadIdx.x) * 2;
  if (i >= width) return;
  const float* from = (blockIdx.z == 0 ? keys : values) + row * width + i;
  T* to = (blockIdx.z == 0 ? key_cache : value_cache) + slots[row] * width + i;
  store_pair(to, load_pair(from));
}

}  // namespace

void kv_write(const float* keys, const float* values, const int64_t* slots, KvView kv, int rows, int kv_heads,
              int head_dim, Stream stream) {
  const int width = kv_heads * head_dim;
  with_elements(kv.type, kv.keys, [&](const auto* typed) {
    using T = std::decay_t<decltype(*typed)>;
    const dim3 grid(rows, blocks_for(width / 2, kThreads), 2);
    launch("kv_write", kv_write_kernel<T>, grid, dim3(kThreads), 0, stream, keys, values, slots,
           static_cast<T*>(kv.keys), static_cast<T*>(kv.values), width);
  });
}

}  // namespace stagecraft::STAGECRAFT_TARGET
