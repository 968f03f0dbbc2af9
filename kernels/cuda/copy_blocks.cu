/// @file
/// Copies whole blocks of the KV cache inside one plane: copy-on-write, when two requests share a block and one of them
/// is about to write to it.
///
///     plane   (blocks, block_bytes)  a layer's keys, or its values
///     copies  (count)                from, to: no block is written twice, and none that is written is read
///
/// One thread a 16-byte load, or a 4-byte one where the plane or a block is not a multiple of 16 bytes: a row of two
/// bf16 elements is the least there is. Needed from stage 5 on.
#include "kernels/cuda/launch.h"
#include "kernels/cuda/operations.h"

namespace stagecraft::STAGECRAFT_TARGET {
namespace {

constexpr int kThreads = 128;

/// grid: (count, ceil(words of a block / kThreads))   block: kThreads
template <class Word>
__global__ void copy_blocks_kernel(Word* plane,              // (blocks, block_words)
                                   const BlockCopy* copies,  // (count)
                                   int64_t block_words) {
  const int64_t i = int64_t(blockIdx.y) * kThreads + threadIdx.x;
  if (i >= block_words) return;
  const BlockCopy copy = copies[blockIdx.x];
  plane[copy.to * block_words + i] = plane[copy.from * block_words + i];
}

}  // namespace

void copy_blocks(void* plane, const BlockCopy* copies, int count, int64_t block_bytes, Stream stream) {
  const auto launch_by = [&]<class Word>(Word* words) {
    const int64_t block_words = block_bytes / int64_t(sizeof(Word));
    launch("copy_blocks", copy_blocks_kernel<Word>, dim3(count, blocks_for(block_words, kThreads)), dim3(kThreads), 0,
           stream, words, copies, block_words);
  };
  const bool by_sixteen = rows_load_by_eights(plane, block_bytes / int64_t(sizeof(bf16)));
  by_sixteen ? launch_by(static_cast<uint4*>(plane)) : launch_by(static_cast<uint32_t*>(plane));
}

}  // namespace stagecraft::STAGECRAFT_TARGET
