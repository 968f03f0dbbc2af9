#include "kernels/simulator/runtime_api.h"

#include <cstring>

#include "kernels/simulator/runtime/simulator.h"

namespace {

using simt::runtime::remember;
using simt::runtime::simulator;

bool is_host(const void* memory) { return !simulator().memory.contains(reinterpret_cast<uintptr_t>(memory)); }

/// Whether a copy of this kind may touch [memory, memory + bytes).
bool usable(const void* memory, size_t bytes, bool on_device) {
  return on_device ? simulator().memory.holds(memory, bytes) : is_host(memory);
}

constexpr int kPoison = 0xFF;  // as fp32, fp16 and bf16 a NaN

void mark_written(void* memory, size_t bytes) {
  simt::runtime::Simulator& sim = simulator();
  if (!sim.has_checked_kernels || is_host(memory)) return;
  sim.written.insert(reinterpret_cast<uintptr_t>(memory) - sim.memory.low(), bytes);
}

}  // namespace

cudaError_t simt::detail::allocate(void** memory, size_t bytes, Site site) {
  runtime::Simulator& sim = simulator();
  *memory = sim.memory.allocate(bytes, site);
  if (!*memory) return remember(cudaErrorMemoryAllocation);
  if (!sim.has_checked_kernels) return cudaSuccess;
  if (sim.config.poison) memset(*memory, kPoison, bytes);
  sim.written.erase(reinterpret_cast<uintptr_t>(*memory) - sim.memory.low(), bytes);
  return cudaSuccess;
}

cudaError_t cudaFree(void* memory) {
  return !memory || simulator().memory.release(memory) ? cudaSuccess : remember(cudaErrorInvalidValue);
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return cudaSuccess;
  const bool to_device =
      kind == cudaMemcpyDefault ? !is_host(to) : kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device =
      kind == cudaMemcpyDefault ? !is_host(from) : kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (!usable(to, bytes, to_device) || !usable(from, bytes, from_device)) return remember(cudaErrorInvalidValue);
  memmove(to, from, bytes);
  mark_written(to, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemset(void* memory, int value, size_t bytes) {
  if (bytes == 0) return cudaSuccess;
  if (!simulator().memory.holds(memory, bytes)) return remember(cudaErrorInvalidValue);
  memset(memory, value, bytes);
  mark_written(memory, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t) {
  return cudaMemset(memory, value, bytes);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  *stream = nullptr;  // all streams are the one order in which things are called
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaPeekAtLastError(); }
cudaError_t cudaDeviceSynchronize() { return cudaPeekAtLastError(); }
cudaError_t cudaPeekAtLastError() { return simulator().last_error; }
cudaError_t cudaGetLastError() { return simulator().last_error.exchange(cudaSuccess); }

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
      return "cudaErrorNotSupported";
    case cudaErrorIllegalAddress:
      return "cudaErrorIllegalAddress";
    case cudaErrorLaunchTimeout:
      return "cudaErrorLaunchTimeout";
    case cudaErrorLaunchFailure:
      return "cudaErrorLaunchFailure";
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
      return "operation not supported";
    case cudaErrorIllegalAddress:
      return "an illegal memory access was encountered";
    case cudaErrorLaunchTimeout:
      return "the launch timed out and was terminated";
    case cudaErrorLaunchFailure:
      return "unspecified launch failure";
  }
  return "unrecognized error code";
}
