#pragma once
/// @file
/// The contract of lab 0. All pointers are device memory; each function launches one or more kernels with simt::launch
/// and returns. Nothing is allocated. Lengths are at least 1.
namespace lab00 {

/// lab00.t1: sum[i] = a[i] + b[i] for 0 <= i < n.
///
/// - lab00.t1.c1: every element, for any n: 1, 31, 32, 33, 1000, ...
/// - lab00.t1.c2: memory at index n and beyond is neither read nor written. A grid has whole blocks, so it has more
///   threads than there are elements.
/// - lab00.t1.c3: loads and stores move at most 1.05 times the sectors that their elements fill: thread t and thread
///   t + 1 take neighbouring elements.
void vector_add(const float* a,  // (n)
                const float* b,  // (n)
                float* sum,      // (n)
                int n);

/// lab00.t2: out[r][i] = x[r][i] * factors[r].
///
/// - lab00.t2.c1: every element, for any number of rows and any width.
/// - lab00.t2.c2: the simulator finds nothing, and all of out is written.
/// - lab00.t2.c3: stores move at most 1.05 times as many sectors as rows * width floats fill.
/// - lab00.t2.c4: loads move at most twice as many sectors as rows * width floats fill; that leaves room for the factors.
void scale_rows(const float* x,        // (rows, width)
                const float* factors,  // (rows)
                float* out,            // (rows, width)
                int rows, int width);

/// lab00.t3: sum[0] = x[0] + ... + x[n - 1]. The checks use whole numbers, so that any order of additions is exact.
/// sum[0] is 0 before.
///
/// - lab00.t3.c1: for any n, also below one block and far above it.
/// - lab00.t3.c2: the simulator finds nothing, whatever the order of blocks and warps.
/// - lab00.t3.c3: global loads ask for at most 4 n bytes plus 64 bytes a block, and move at most 1.05 times the sectors
///   that n floats fill, plus 2 a block.
/// - lab00.t3.c4: at least one float goes through shared memory, and no request to it needs more wavefronts than the ideal.
void sum(const float* x,  // (n)
         float* sum,      // (1)
         int n);

/// lab00.t4: out[i] = (x[i - 1] + x[i] + x[i + 1]) / 3, where x[-1] = x[0] and x[n] = x[n - 1]. The file holds a kernel that
/// looks right and is not: find why with the simulator's help, and repair it.
///
/// - lab00.t4.c1: every element, for any n, to 6 digits.
/// - lab00.t4.c2: the simulator finds no race, whatever the order of warps.
/// - lab00.t4.c3: global loads ask for at most 4 n bytes plus 8 bytes a block: neighbours come from shared memory.
void smooth(const float* x,  // (n)
            float* out,      // (n)
            int n);

}  // namespace lab00
