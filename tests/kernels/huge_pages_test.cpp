/// @file
/// Memory in huge pages: as aligned as asked for, and advised where Linux takes the advice.
#include "kernels/huge_pages.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "tests/catch.h"
#include "tests/sanitized.h"

using namespace stagecraft;

namespace {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<void, Free>;

/// The flags that /proc shows of the mapping that holds `memory`.
std::string flags_of(const void* memory) {
  const auto at = reinterpret_cast<uintptr_t>(memory);
  std::ifstream smaps("/proc/self/smaps");
  bool is_ours = false;
  for (std::string line; std::getline(smaps, line);) {
    char* end = nullptr;
    const uintptr_t first = std::strtoull(line.c_str(), &end, 16);
    if (*end == '-') is_ours = first <= at && at < std::strtoull(end + 1, nullptr, 16);
    if (is_ours && line.rfind("VmFlags:", 0) == 0) return line + " ";
  }
  return "";
}

}  // namespace

TEST_CASE("memory below a huge page is aligned as asked for, from a huge page on to huge pages", "[memory]") {
  for (const size_t bytes : {size_t{0}, size_t{1}, size_t{4097}, kHugePage - 1, kHugePage, 3 * kHugePage + 5}) {
    const Memory memory(allocate_in_huge_pages(bytes, 64));
    REQUIRE(memory);
    CHECK(reinterpret_cast<uintptr_t>(memory.get()) % (bytes < kHugePage ? 64 : kHugePage) == 0);
    if (bytes > 0) static_cast<char*>(memory.get())[bytes - 1] = 1;
  }
}

#ifndef STAGECRAFT_SANITIZED  // whose allocators end a program that asks for so much
TEST_CASE("more memory than there can be is refused", "[memory]") {
  CHECK(allocate_in_huge_pages(SIZE_MAX / 2, 64) == nullptr);
}
#endif

TEST_CASE("large memory prefers huge pages where Linux has them, small memory does not", "[memory]") {
  const bool linux_has_them = std::filesystem::exists("/sys/kernel/mm/transparent_hugepage/enabled");
  const Memory large(allocate_in_huge_pages(4 * kHugePage, 64));
  // The middle: the first bytes belong to the allocator.
  CHECK((flags_of(static_cast<char*>(large.get()) + kHugePage).find(" hg ") != std::string::npos) == linux_has_them);
  const Memory small(allocate_in_huge_pages(4096, 64));
  CHECK(flags_of(small.get()).find(" hg ") == std::string::npos);
}
