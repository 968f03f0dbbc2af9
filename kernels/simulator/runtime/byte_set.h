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

  void insert(size_t offset, size_t count) { change(offset, count, true); }
  void erase(size_t offset, size_t count) { change(offset, count, false); }
  /// How many of the bytes, from the first on, are in the set.
  size_t prefix(size_t offset, size_t count) const;
  bool contains(size_t offset, size_t count) const { return prefix(offset, count) == count; }

 private:
  static constexpr size_t kSlack = 1;
  void change(size_t offset, size_t count, bool in);

  LazyArray<uint8_t> bits_;
};

}  // namespace simt::runtime
