#include "stages/core/device_weights.h"

#include <utility>

#include "stages/core/weight_layout.h"

namespace stagecraft {

DeviceWeights place_weights(Device& device, const ModelConfig& config, ModelWeights weights) {
  DeviceWeights placed{std::move(weights), {}};
  if (device.reads_host_memory()) return placed;

  for_each_weight(placed.weights, config, [&](WeightView& view, const std::string&, WeightShape shape) {
    DeviceArray<std::byte> copy(device, size_t(shape.elements() * bytes_of(view.type)));
    copy.copy_from(static_cast<const std::byte*>(view.data), copy.size());
    view.data = copy.data();
    placed.copies.push_back(std::move(copy));
  });
  if (config.tied_head) placed.weights.head = placed.weights.embedding;
  return placed;
}

}  // namespace stagecraft
