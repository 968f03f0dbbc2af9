#pragma once
/// @file
/// One access of one lane to device memory, as the hooks deliver it and as traces keep it.
#include <cstddef>
#include <cstdint>

namespace simt::runtime {

enum AccessFlag : uint8_t { kWrite = 1, kShared = 2, kAtomic = 4 };

struct Access {
  uintptr_t code;  // where the instruction is: the hook's return address
  uintptr_t address;
  uint32_t bytes;  // 1, 2, 4, 8 or 16
  uint8_t flags;   // AccessFlag, or-ed. An atomic is a write.

  bool is_write() const { return (flags & kWrite) != 0; }
  bool is_shared() const { return (flags & kShared) != 0; }
  bool is_atomic() const { return (flags & kAtomic) != 0; }
};

/// An Access in 16 bytes: traces hold millions. User-space addresses have 47 or 48 bits.
struct Record {
  explicit Record(const Access& access)
      : code(access.code),
        address(access.address & ((uint64_t{1} << 48) - 1)),
        bytes(access.bytes & 0xFFu),
        flags(access.flags) {}

  uint64_t code;
  uint64_t address : 48;
  uint64_t bytes : 8;
  uint64_t flags : 8;
};
static_assert(sizeof(Record) == 16);

inline constexpr size_t kWordBytes = 4;  // races and bank conflicts are judged by 4-byte words

}  // namespace simt::runtime
