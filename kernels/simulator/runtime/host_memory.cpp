#include "kernels/simulator/runtime/host_memory.h"

#include <new>

#include <sys/mman.h>

namespace simt::runtime {

char* reserve_host_memory(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return static_cast<char*>(memory);
}

void release_host_memory(void* memory, size_t bytes) { munmap(memory, bytes); }

}  // namespace simt::runtime
