#include "stages/core/kv_pool.h"

#include <algorithm>

#include "kernels/check.h"

namespace stagecraft {
namespace {

void check_copies(std::span<const BlockCopy> copies, int64_t blocks) {
  std::vector<int32_t> written;
  for (const BlockCopy& copy : copies) {
    check(copy.from >= 0 && copy.from < blocks && copy.to >= 0 && copy.to < blocks, "blocks are inside the KV pool");
    written.push_back(copy.to);
  }
  std::sort(written.begin(), written.end());
  check(std::adjacent_find(written.begin(), written.end()) == written.end(), "no block is copied to twice");
  for (const BlockCopy& copy : copies) {
    check(!std::binary_search(written.begin(), written.end(), copy.from), "no block that is copied to is copied from");
  }
}

}  // namespace

KvPool::KvPool(Device& device, const ModelConfig& config, NumberType type, int64_t slots)
    : type_(type),
      slots_(slots),
      layers_(config.layers),
      bytes_per_plane_(slots * config.kv_heads * config.head_dim * bytes_of(type)),
      memory_(device, size_t(slots * config.kv_bytes_per_token(type))) {
  check(slots > 0, "a KV pool has at least one slot");
}

KvView KvPool::layer(int layer, KvAddress address) const {
  return {plane(2 * layer), plane(2 * layer + 1), type_, address};
}

void KvPool::copy_blocks(Device& device, std::span<const BlockCopy> copies, int64_t block_size) {
  if (copies.empty()) return;
  check(block_size > 0, "a block has at least one slot");
  check_copies(copies, slots_ / block_size);
  const BlockCopy* on_device = copies_.send(device, {copies.begin(), copies.end()});
  const int64_t block_bytes = bytes_per_plane_ / slots_ * block_size;
  for (int index = 0; index < 2 * layers_; ++index) {
    device.kernels().copy_blocks(plane(index), on_device, int(copies.size()), block_bytes, device.stream());
  }
}

}  // namespace stagecraft
