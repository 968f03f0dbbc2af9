#pragma once
/// @file
/// The kernels that the simulator's tests run, by what they do right or wrong.
#include "kernels/simulator/simt.h"

namespace simulator_tests {

cudaError_t vector_add(const float* a, const float* b, float* sum, int n);

/// Adds the sum of x to *sum. Without the barrier in its loop it is a race.
cudaError_t block_sum(const float* x, float* sum, int n, bool with_barrier);

}  // namespace simulator_tests
