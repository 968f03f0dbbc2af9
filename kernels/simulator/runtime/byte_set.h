#pragma once
/// @file
/// A set of bytes of some memory, one bit each: which of them have been written.
#include <cstddef>
#include <cstdint>

#include "kernels/simulator/runtime/host_memory.h"

namespace simt::runtime {

class ByteSet {
 public:
  ByteSet() = default;
  /// Of memory with `bytes` bytes; empty at first.
  explicit ByteSet(size_t bytes) : bits_(bytes / 8 + kSlack) {}

  void insert(size_t offset, size_t count) {
    if (in_one_byte(offset, count))
      bits_[offset / 8] |= mask(offset, count);
    else
      change(offset, count, true);
  }
  void erase(size_t offset, size_t count) { change(offset, count, false); }
  /// How many of the bytes, from the first on, are in the set.
  size_t prefix(size_t offset, size_t count) const;
  bool contains(size_t offset, size_t count) const {
    if (in_one_byte(offset, count)) return (bits_[offset / 8] & mask(offset, count)) == mask(offset, count);
    return prefix(offset, count) == count;
  }

 private:
  static constexpr size_t kSlack = 1;
  // Most ranges are one access: 1 to 8 aligned bytes, whose bits lie in one byte.
  static bool in_one_byte(size_t offset, size_t count) { return offset % 8 + count <= 8; }
  static uint8_t mask(size_t offset, size_t count) { return static_cast<uint8_t>(((1u << count) - 1) << offset % 8); }
  void change(size_t offset, size_t count, bool in);

  LazyArray<uint8_t> bits_;
};

}  // namespace simt::runtime
