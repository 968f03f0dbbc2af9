#include "kernels/huge_pages.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include <sys/mman.h>
#include <unistd.h>

namespace stagecraft {

void prefer_huge_pages(const void* memory, size_t bytes) noexcept {
  if (bytes < kHugePage) return;
  const size_t page = size_t(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t first = (begin + page - 1) / page * page;
  ::madvise(reinterpret_cast<void*>(first), begin + bytes - first, MADV_HUGEPAGE);
}

void* allocate_in_huge_pages(size_t bytes, size_t alignment) noexcept {
  void* memory = nullptr;
  const size_t boundary = bytes < kHugePage ? alignment : std::max(alignment, kHugePage);
  if (::posix_memalign(&memory, boundary, std::max<size_t>(bytes, 1)) != 0) return nullptr;
  prefer_huge_pages(memory, bytes);
  return memory;
}

}  // namespace stagecraft
