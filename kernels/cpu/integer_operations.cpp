#include "kernels/cpu/integer_operations.h"

#include <cstddef>
#include <cstring>

namespace stagecraft::cpu {

void copy_blocks(void* plane, const BlockCopy* copies, int count, int64_t block_bytes, Stream) {
  auto* blocks = static_cast<std::byte*>(plane);
  for (int i = 0; i < count; ++i) {
    std::memcpy(blocks + copies[i].to * block_bytes, blocks + copies[i].from * block_bytes, size_t(block_bytes));
  }
}

void verify(const TokenId* drawn, const TokenId* draft, const int32_t* row_start, int32_t* accepted, int requests,
            Stream) {
  for (int i = 0; i < requests; ++i) {
    const int first = row_start[i], last = row_start[i + 1] - 1;  // nothing was drafted after the last row
    int row = first;
    while (row < last && draft[row] == drawn[row]) ++row;
    accepted[i] = row - first;
  }
}

}  // namespace stagecraft::cpu
