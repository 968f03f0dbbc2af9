#pragma once
/// @file
/// The kernels that the simulator's tests run: each does one thing right or wrong, by an argument.
#include "kernels/number_types.h"
#include "kernels/simulator/simt.h"

namespace simulator_tests {

// vector_add.cu, block_sum.cu
cudaError_t vector_add(const float* a, const float* b, float* sum, int n);
/// Adds the sum of x to *sum. Without the barrier in its loop it is a race.
cudaError_t block_sum(const float* x, float* sum, int n, bool with_barrier);

// races.cu
/// Reverses 64 elements through static shared memory.
cudaError_t reverse_in_shared(float* x, bool with_barrier);
/// Rotates 32 elements within one warp through shared memory.
cudaError_t rotate_in_warp(float* x, bool with_syncwarp);
/// 64 threads move neighbouring bf16, two in each 4-byte word.
cudaError_t neighbours_in_a_word(stagecraft::bf16* x);
/// x[t] = x[t + 1], 64 threads of one block.
cudaError_t shift_in_global(float* x, bool with_barrier);
/// Each of 4 blocks adds to the same 32 elements.
cudaError_t add_from_all_blocks(float* x, bool atomically);
/// The block that finishes last adds up what the others left: right only with the fence.
cudaError_t last_block_sums(const float* x, float* partial, unsigned* finished, float* sum, int n, bool with_fence);
/// All threads but the first add atomically; the first reads without.
cudaError_t read_beside_atomics(int* x, bool with_barrier);
/// One warp reads x[0] to x[3] as a float4, another writes x[written].
cudaError_t vector_beside_write(float* x, float* out, int written);

// bounds.cu
/// Thread i of `threads` writes x[i + offset].
cudaError_t write_shifted(float* x, int threads, int offset);
/// Thread i of 32 writes element i + offset of a shared array of 32, between two others.
cudaError_t write_shifted_in_shared(float* out, int offset);
/// Thread i of 32 writes element i of dynamic shared memory for `elements` floats.
cudaError_t write_dynamic_shared(float* out, int elements);
/// One float4 from x + offset.
cudaError_t load_vector_at(const float* x, float* out, int offset);

// uninitialised.cu
/// 32 threads write `written` elements of a shared array of 64 and read 32.
cudaError_t read_shared(float* out, int written);
cudaError_t copy(const float* from, float* to, int n);

// meetings.cu
/// 64 threads; those from `leaving` on end before the barrier.
cudaError_t leave_before_barrier(float* out, int leaving);
/// 64 threads; those from 40 on wait at the barrier of the other branch.
cudaError_t barrier_in_two_branches(float* out, bool two);
/// A warp whose upper half shuffles while the lower half waits at a barrier.
cudaError_t shuffle_against_barrier(float* out);
/// The two halves of a warp call their own shuffle, with their own masks or with the mask of the whole warp.
cudaError_t shuffles_of_two_halves(float* out, bool own_masks);
/// Lanes 0 to 7 read from `source`, with a mask of those eight.
cudaError_t shuffle_from(float* out, int source);
/// All lanes call with a mask of the lower half.
cudaError_t call_outside_mask(float* out);
/// Sums 1 to 32 by every kind of shuffle and vote; out gets 12 results.
cudaError_t all_collectives(int* out);

// endless.cu
/// Waits until *flag is not 0.
cudaError_t wait_for_flag(const volatile int* flag, float* out);
/// Computes in registers for ever, or `rounds` times.
cudaError_t compute(float* out, long rounds);
cudaError_t barriers_for_ever(float* out, long rounds);
/// A recursion of this depth, 1 KiB a call.
cudaError_t recurse(float* out, int depth);
cudaError_t throw_exception(float* out);
cudaError_t write_null(float* out);

// counts.cu
/// out[i * stride % n] = x[i * stride % n]: one warp.
cudaError_t copy_strided(const float* x, float* out, int n, int stride);
enum class Transpose { naive, shared_tile, padded_tile };
cudaError_t transpose(Transpose how, const float* x, float* out, int n);
/// One warp stores and loads shared memory with a stride.
cudaError_t shared_stride(float* out, int stride);
/// One warp copies float4s through shared memory.
cudaError_t shared_vectors(float4* x);
/// Sparse matrix times vector, one thread a row: lanes leave the loop one by one.
cudaError_t sparse_times_vector(const int* row_begin, const int* columns, const float* values, const float* x, float* y,
                                int rows);

/// out[t] = sum of 4 elements from x + 4 t, by an inline function that tests call as well.
cudaError_t sum_of_four(const float* x, float* out);
template <class T>
SIMT_NOINLINE T inline_sum_of_four(const T* x) {
  return x[0] + x[1] + x[2] + x[3];
}

// reconvergence.cu
/// A loop with continue, break, a branch and an inner loop, by what `code` says for each lane and iteration.
struct DivergentLoop {
  const int* iterations;  // (32)
  const int* code;        // (most iterations, 32)
  const float *a, *b, *c, *d;
  float* out;
};
cudaError_t run_divergent_loop(const DivergentLoop& loop);

}  // namespace simulator_tests
