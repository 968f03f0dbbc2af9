#pragma once
/// @file
/// Weights where a device can read them: in place in the mapped files on a cpu, a copy in device memory elsewhere.
#include <cstddef>
#include <vector>

#include "kernels/device.h"
#include "stages/core/weights.h"

namespace stagecraft {

/// Owns the copies, if any; `weights` point to what the device reads.
struct DeviceWeights {
  ModelWeights weights;
  std::vector<DeviceArray<std::byte>> copies;  // empty where the device reads host memory
};

/// `device` must outlive the result. Throws Failure when its memory does not hold the weights.
DeviceWeights place_weights(Device& device, const ModelConfig& config, ModelWeights weights);

}  // namespace stagecraft
