#pragma once
/// @file
/// The state of the simulated device: one a process, as CUDA's runtime API has one current device a process.
#include <atomic>
#include <memory>
#include <mutex>

#include "kernels/simulator/config.h"
#include "kernels/simulator/runtime/block_threads.h"
#include "kernels/simulator/runtime/byte_set.h"
#include "kernels/simulator/runtime/device_memory.h"
#include "kernels/simulator/runtime/finding_log.h"
#include "kernels/simulator/runtime/profile_log.h"
#include "kernels/simulator/runtime/promised_outputs.h"
#include "kernels/simulator/runtime/tracer.h"
#include "kernels/simulator/runtime_api.h"

namespace simt::runtime {

struct Simulator {
  Config config;
  DeviceMemory memory;
  ByteSet written{memory.reserved_bytes()};  // of device memory, from its start
  FindingLog findings;
  ProfileLog profile;
  PromisedOutputs outputs;
  std::unique_ptr<Tracer> tracer;         // made by the first checked launch, for the OS thread that makes it
  uint64_t traced_worker = 0;             // Worker::id() of that thread
  std::unique_ptr<BlockThreads> helpers;  // made by the first fast launch of several blocks
  std::atomic<cudaError_t> last_error{cudaSuccess};
  std::mutex launching;              // one launch at a time
  bool has_checked_kernels = false;  // set before main by the kernels' own start-up code (hooks.cpp)
};

/// Made at first use; lives to the end of the process.
Simulator& simulator();

/// Keeps the error for cudaGetLastError, and returns it.
cudaError_t remember(cudaError_t error);

}  // namespace simt::runtime
