#pragma once
/// @file
/// The memory of the KV cache: keys and values of all layers for a number of slots (a slot is one token's place).
///
///     layer 0: keys (slots, kv_heads, head_dim), values (slots, kv_heads, head_dim); layer 1: ...
///
/// Which slot belongs to which token is the business of the stages.
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/device.h"
#include "stages/core/model_config.h"
#include "stages/core/pass_memory.h"

namespace stagecraft {

class KvPool {
 public:
  /// Allocates slots * config.kv_bytes_per_token(type) bytes of `device`, which must outlive the pool. The content is
  /// undefined. Throws Failure when the memory is not there.
  KvPool(Device& device, const ModelConfig& config, NumberType type, int64_t slots);

  int64_t slots() const { return slots_; }
  NumberType type() const { return type_; }
  int64_t bytes() const { return int64_t(memory_.bytes()); }

  /// Keys and values of `layer` for attention and kv_write, found through `address`.
  KvView layer(int layer, KvAddress address) const;

  /// Queues copies of whole blocks of `block_size` slots, keys and values of all layers. `device` is the pool's. They may
  /// run in any order and at once, so no block is written twice and none that is written is read: else std::logic_error.
  void copy_blocks(Device& device, std::span<const BlockCopy> copies, int64_t block_size);

 private:
  std::byte* plane(int index) const { return memory_.data() + index * bytes_per_plane_; }

  NumberType type_;
  int64_t slots_;
  int layers_;
  int64_t bytes_per_plane_;  // of one layer's keys, and again of its values
  DeviceArray<std::byte> memory_;
  Upload<BlockCopy> copies_;
};

}  // namespace stagecraft
