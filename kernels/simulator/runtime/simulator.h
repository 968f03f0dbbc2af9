#pragma once
/// @file
/// The state of the simulated device: one a process, as CUDA's runtime API has one current device a process.
#include <atomic>
#include <mutex>

#include "kernels/simulator/config.h"
#include "kernels/simulator/runtime/device_memory.h"
#include "kernels/simulator/runtime/finding_log.h"
#include "kernels/simulator/runtime_api.h"

namespace simt::runtime {

struct Simulator {
  Config config;
  DeviceMemory memory;
  FindingLog findings;
  std::atomic<cudaError_t> last_error{cudaSuccess};
  std::mutex launching;              // one launch at a time
  bool has_checked_kernels = false;  // set before main by the kernels' own start-up code (hooks.cpp)
};

/// Made at first use; lives to the end of the process.
Simulator& simulator();

/// Keeps the error for cudaGetLastError, and returns it.
cudaError_t remember(cudaError_t error);

}  // namespace simt::runtime
