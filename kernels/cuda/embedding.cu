/// @file
/// Embedding: out[r] = table[ids[r]], widened to fp32.
///
///     table  (vocabulary, width)  bf16, fp16 or fp32
///     ids    (rows)
///     out    (rows, width)        fp32
///
/// A gather of whole rows: neighbouring threads take neighbouring eighths of a row, so every load is 16 bytes wide and
/// fully used. Needed from stage 1 on.
#include "kernels/cuda/launch.h"
#include "kernels/cuda/operations.h"
#include "kernels/cuda/vector_load.h"

namespace stagecraft::STAGECRAFT_TARGET {
namespace {

constexpr int kThreads = 128;

/// grid: (rows, ceil(width / 8 / kThreads))   block: kThreads. A thread copies eight elements.
template <class T>
__global__ void embedding_by_eights(const T* table,      // (vocabulary, width)
                                    const TokenId* ids,  // (rows)
                                    float* out,          // (rows, width)
                                    int width) {
  const int64_t row = blockIdx.x;
  const int64_t column = (int64_t(blockIdx.y) * kThreads + threadIdx.x) * 8;
  if (column < width) store_eight(out + row * width + column, load_eight(table + int64_t(ids[row]) * width + column));
}

/// For widths that are no multiple of 8. grid: (rows, ceil(width / kThreads))   block: kThreads
template <class T>
__global__ void embedding_by_ones(const T* table, const TokenId* ids, float* out, int width) {
  const int64_t row = blockIdx.x;
  const int64_t column = int64_t(blockIdx.y) * kThreads + threadIdx.x;
  if (column < width) out[row * width + column] = to_float(table[int64_t(ids[row]) * width + column]);
}

}  // namespace

void embedding(WeightView table, const TokenId* ids, float* out, int rows, int width, Stream stream) {
  with_elements(table.type, table.data, [&](const auto* elements) {
    const bool by_eights = rows_load_by_eights(elements, width);
    const auto kernel = by_eights ? embedding_by_eights<std::decay_t<decltype(*elements)>>
                                  : embedding_by_ones<std::decay_t<decltype(*elements)>>;
    const dim3 grid(rows, blocks_for(by_eights ? width / 8 : width, kThreads));
    launch("embedding", kernel, grid, dim3(kThreads), 0, stream, elements, ids, out, width);
  });
}

}  // namespace stagecraft::STAGECRAFT_TARGET
