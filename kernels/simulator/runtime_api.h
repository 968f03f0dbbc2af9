#pragma once
/// @file
/// The part of the CUDA runtime API that programs here use. Everything runs at once and in order: a stream is a name,
/// and a copy that is called asynchronous is done when it returns.
#include "kernels/simulator/keywords.h"

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchTimeout = 702,
  cudaErrorLaunchFailure = 719,
};

enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault,
};

struct simt_stream;
using cudaStream_t = simt_stream*;

namespace simt::detail {
cudaError_t allocate(void** memory, size_t bytes, Site site);
}

/// Device memory. The call's place is remembered, so a report can name the allocation that was overrun.
template <class T>
cudaError_t cudaMalloc(T** memory, size_t bytes, simt::Site site = simt::Site::here()) {
  void* allocated = nullptr;
  const cudaError_t error = simt::detail::allocate(&allocated, bytes, site);
  *memory = static_cast<T*>(allocated);
  return error;
}
cudaError_t cudaFree(void* memory);
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemset(void* memory, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream = nullptr);

cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
/// The last launch's error, which stays until cudaGetLastError takes it.
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
