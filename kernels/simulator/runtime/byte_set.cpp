#include "kernels/simulator/runtime/byte_set.h"

#include <cstring>

namespace simt::runtime {

void ByteSet::change(size_t offset, size_t count, bool in) {
  const auto one = [&](size_t byte) {
    const uint8_t bit = static_cast<uint8_t>(1u << byte % 8);
    if (in)
      bits_[byte / 8] |= bit;
    else
      bits_[byte / 8] &= static_cast<uint8_t>(~bit);
  };
  const size_t end = offset + count;
  while (offset < end && offset % 8 != 0) one(offset++);
  if (const size_t whole = (end - offset) / 8; offset < end && whole != 0) {
    memset(&bits_[offset / 8], in ? 0xFF : 0, whole);
    offset += whole * 8;
  }
  while (offset < end) one(offset++);
}

size_t ByteSet::prefix(size_t offset, size_t count) const {
  for (size_t i = 0; i < count;) {
    const size_t byte = offset + i;
    if (byte % 8 == 0 && bits_[byte / 8] == 0xFF) {
      i += 8;
      continue;
    }
    if ((bits_[byte / 8] >> byte % 8 & 1) == 0) return i;
    ++i;
  }
  return count;
}

}  // namespace simt::runtime
