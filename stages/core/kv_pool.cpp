#include "stages/core/kv_pool.h"

#include "kernels/check.h"

namespace stagecraft {

KvPool::KvPool(Device& device, const ModelConfig& config, NumberType type, int64_t slots)
    : type_(type),
      slots_(slots),
      bytes_per_plane_(slots * config.kv_heads * config.head_dim * bytes_of(type)),
      memory_(device, size_t(slots * config.kv_bytes_per_token(type))) {
  check(slots > 0, "a KV pool has at least one slot");
}

KvView KvPool::layer(int layer, ContiguousAddress address) const {
  std::byte* keys = memory_.data() + 2 * layer * bytes_per_plane_;
  return {keys, keys + bytes_per_plane_, type_, address};
}

}  // namespace stagecraft
