#pragma once
/// @file
/// Every call of the CUDA runtime is checked, those that report an earlier kernel's fault included.
#include <cuda_runtime.h>
#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft::cuda {

/// What to do about an error, where there is something.
inline std::string hint_for(cudaError_t status) {
  switch (status) {
    case cudaErrorMemoryAllocation:
      return "use a shorter context, fewer requests at a time, or --kv-type bf16";
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorLaunchFailure:
      return "a kernel accessed memory that is not its own; --device sim-checked names the line";
    case cudaErrorNoKernelImageForDevice:
      return "build with -DSTAGECRAFT_CUDA_ARCHITECTURES=all";
    default:
      return "";
  }
}

/// Throws Failure saying what was being done if `status` is an error.
inline void check_cuda(cudaError_t status, std::string_view doing) {
  if (status == cudaSuccess) return;
  throw Failure(fmt::format("cuda: {}: {} ({})", doing, cudaGetErrorString(status), cudaGetErrorName(status)),
                hint_for(status));
}

}  // namespace stagecraft::cuda
