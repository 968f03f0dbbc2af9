#pragma once
/// @file
/// Time on a GPU, by events on its stream: what the host does meanwhile is not in it.
#include <functional>

#include "kernels/cuda/cuda_device.h"

namespace stagecraft::cuda {

/// The median of several timings of what `queue_operations` queues, in seconds of one call. Warm: kernels are loaded and
/// clocks are up before the first timing.
double seconds_per_run(CudaDevice& device, const std::function<void()>& queue_operations);

/// Bytes a second, read and written, of a large copy inside the GPU's memory: the speed that kernels are compared with.
double copy_bandwidth(CudaDevice& device);

/// "driver 13.0, runtime 13.0"
std::string driver_and_runtime();

}  // namespace stagecraft::cuda
