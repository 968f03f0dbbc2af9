#pragma once
/// @file
/// simt.h for nvcc: the same spelling on a real GPU.
#include <cmath>
#include <cstdint>
#include <utility>

#include <cuda_runtime.h>

/// Dynamic shared memory as an array of T, 16-byte aligned. A cast, because CUDA allows the name only one type.
#define SIMT_DYN_SHARED(T, name)                                        \
  extern __shared__ __align__(16) unsigned char simt_dynamic_shared_[]; \
  T* const name = reinterpret_cast<T*>(simt_dynamic_shared_)
#define SIMT_UNROLL _Pragma("unroll")
#define SIMT_NOINLINE __noinline__

namespace simt {

/// Where and how a kernel runs.
struct Launch {
  dim3 grid{1};
  dim3 block{1};
  size_t smem = 0;  // bytes of dynamic shared memory a block
  cudaStream_t stream = nullptr;
};

/// Shared memory above this must be asked for by an attribute of the kernel (CUDA programming guide, compute
/// capability).
inline constexpr size_t kSharedBytesWithoutAttribute = 48 * 1024;

/// Queues `kernel` on `how.stream`. Returns what the launch returned; faults of the kernel show at the next
/// synchronisation.
template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), const Launch& how, Arguments&&... arguments) {
  if (how.smem > kSharedBytesWithoutAttribute) {
    const cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(how.smem));
    if (error != cudaSuccess) return error;
  }
  cudaLaunchConfig_t config{};
  config.gridDim = how.grid;
  config.blockDim = how.block;
  config.dynamicSmemBytes = how.smem;
  config.stream = how.stream;
  return cudaLaunchKernelEx(&config, kernel, Parameters(std::forward<Arguments>(arguments))...);
}

}  // namespace simt
