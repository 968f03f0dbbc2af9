#include "tests/simulator/kernels/kernels.h"

using simt::launch;

namespace simulator_tests {
namespace {

constexpr unsigned kWarp = 0xFFFFFFFFu;
constexpr unsigned kLowerHalf = 0x0000FFFFu;
constexpr unsigned kUpperHalf = 0xFFFF0000u;

/// grid: 1   block: 64
__global__ void leave_kernel(float* out, int leaving) {
  if (int(threadIdx.x) >= leaving) return;
  __syncthreads();
  out[threadIdx.x] = 1.0f;
}

/// grid: 1   block: 64
__global__ void two_barriers_kernel(float* out, bool two) {
  if (two && threadIdx.x >= 40) {
    out[threadIdx.x] = 2.0f;
    __syncthreads();
  } else {
    __syncthreads();
  }
  out[threadIdx.x] = 1.0f;
}

/// grid: 1   block: 32
__global__ void shuffle_against_barrier_kernel(float* out) {
  float value = float(threadIdx.x);
  if (threadIdx.x >= 16)
    value = __shfl_xor_sync(kWarp, value, 1);
  else
    __syncthreads();
  out[threadIdx.x] = value;
}

/// grid: 1   block: 32
__global__ void two_halves_kernel(float* out, unsigned lower, unsigned upper) {
  float value = float(threadIdx.x);
  if (threadIdx.x < 16)
    value = __shfl_xor_sync(lower, value, 1);
  else
    value = __shfl_xor_sync(upper, value, 2);
  out[threadIdx.x] = value;
}

/// grid: 1   block: 32
__global__ void shuffle_from_kernel(float* out, int source) {
  float value = float(threadIdx.x) + 1.0f;
  if (threadIdx.x < 8) value = __shfl_sync(0xFFu, value, source);
  out[threadIdx.x] = value;
}

/// grid: 1   block: 32
__global__ void outside_mask_kernel(float* out) { out[threadIdx.x] = __shfl_xor_sync(kLowerHalf, 1.0f, 1); }

/// grid: 1   block: 32
__global__ void all_collectives_kernel(int* out) {
  const int lane = int(threadIdx.x);
  const int mine = lane + 1;
  int by_xor = mine, by_down = mine, by_up = mine;
  for (int step = 16; step > 0; step /= 2) {
    by_xor += __shfl_xor_sync(kWarp, by_xor, step);
    by_down += __shfl_down_sync(kWarp, by_down, unsigned(step));
  }
  for (int step = 1; step < 32; step *= 2) {
    const int below = __shfl_up_sync(kWarp, by_up, unsigned(step));
    if (lane >= step) by_up += below;
  }
  const int results[12] = {
      __shfl_sync(kWarp, by_xor, 5),
      __shfl_sync(kWarp, by_down, 0),
      __shfl_sync(kWarp, by_up, 31),
      __shfl_sync(kWarp, mine, 3, 8),  // of its group of eight
      int(__ballot_sync(kWarp, lane % 2)),
      __any_sync(kWarp, lane == 31),
      __all_sync(kWarp, lane < 31),
      int(__reduce_add_sync(kWarp, unsigned(mine))),
      __reduce_min_sync(kWarp, -mine),
      __reduce_max_sync(kWarp, -mine),
      int(__reduce_or_sync(kWarp, 1u << lane)),
      int(__reduce_xor_sync(kWarp, unsigned(lane))),
  };
  if (lane != 17) return;
  for (int i = 0; i < 12; ++i) out[i] = results[i];
}

}  // namespace

cudaError_t leave_before_barrier(float* out, int leaving) {
  return launch(leave_kernel, {dim3(1), dim3(64)}, out, leaving);
}
cudaError_t barrier_in_two_branches(float* out, bool two) {
  return launch(two_barriers_kernel, {dim3(1), dim3(64)}, out, two);
}
cudaError_t shuffle_against_barrier(float* out) {
  return launch(shuffle_against_barrier_kernel, {dim3(1), dim3(32)}, out);
}
cudaError_t shuffles_of_two_halves(float* out, bool own_masks) {
  return launch(two_halves_kernel, {dim3(1), dim3(32)}, out, own_masks ? kLowerHalf : kWarp,
                own_masks ? kUpperHalf : kWarp);
}
cudaError_t shuffle_from(float* out, int source) {
  return launch(shuffle_from_kernel, {dim3(1), dim3(32)}, out, source);
}
cudaError_t call_outside_mask(float* out) { return launch(outside_mask_kernel, {dim3(1), dim3(32)}, out); }
cudaError_t all_collectives(int* out) { return launch(all_collectives_kernel, {dim3(1), dim3(32)}, out); }

}  // namespace simulator_tests
