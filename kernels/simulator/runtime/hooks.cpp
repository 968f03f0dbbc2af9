/// @file
/// What the compiler calls for memory accesses in code compiled with -fsanitize=thread. That flag is used for its
/// instrumentation only: ThreadSanitizer's own runtime is not linked, these functions stand in its place.
#include "kernels/simulator/runtime/hooks.h"

#include <cstring>

#include "kernels/simulator/runtime/simulator.h"
#include "kernels/simulator/runtime/tracer.h"
#include "kernels/simulator/runtime/worker.h"
#include "kernels/simulator/warp_functions.h"

namespace simt::runtime {
namespace {

std::atomic<const void*> last_probe{nullptr};

/// Where the instruction is that called a hook.
#define SIMT_CODE __builtin_return_address(0)

inline void on_access(const void* pointer, uint32_t bytes, uint8_t flags, const void* code) {
  Worker* worker = Worker::running();
  if (!worker) {
    last_probe.store(pointer, std::memory_order_relaxed);
    return;
  }
  if (worker->busy || !worker->tracer()) return;
  const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  if (worker->fibers().contains(address)) return;  // local variables: registers or local memory of a GPU
  worker->busy = true;
  worker->require_time({reinterpret_cast<uintptr_t>(code)});
  worker->tracer()->access(*worker, {reinterpret_cast<uintptr_t>(code), address, bytes, flags});
  worker->busy = false;
}

/// Accesses that the compiler does not know to be aligned: as wide as the address allows, up to `widest`, as nvcc
/// would have to do.
void on_pieces(const void* pointer, size_t bytes, size_t widest, uint8_t flags, const void* code) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  size_t piece = widest;
  while (address % piece != 0 || bytes % piece != 0) piece /= 2;
  for (size_t at = 0; at < bytes; at += piece)
    on_access(static_cast<const char*>(pointer) + at, static_cast<uint32_t>(piece), flags, code);
}

constexpr size_t kWidest = 16;

}  // namespace

void on_atomic(const void* address, size_t bytes, const void* code) {
  on_access(address, static_cast<uint32_t>(bytes), kWrite | kAtomic, code);
}

bool hooks_fire(void (*probe)(volatile int*)) {
  volatile int cell = 0;
  last_probe = nullptr;
  probe(&cell);
  return last_probe == const_cast<int*>(&cell);
}

}  // namespace simt::runtime

namespace simt::detail {

void fence() {
  runtime::Worker& worker = *runtime::Worker::running();
  if (!worker.tracer()) return;
  worker.busy = true;
  worker.tracer()->fence();
  worker.busy = false;
}

}  // namespace simt::detail

using simt::runtime::kWidest;
using simt::runtime::kWordBytes;
using simt::runtime::kWrite;
using simt::runtime::on_access;
using simt::runtime::on_pieces;

extern "C" {

/// Called before main, once for each file that was compiled with hooks.
void __tsan_init() { simt::runtime::simulator().has_checked_kernels = true; }
void __tsan_func_entry(void*) {}
void __tsan_func_exit(void*) {}

#define SIMT_HOOKS(bytes)                                                                              \
  void __tsan_read##bytes(void* address) { on_access(address, bytes, 0, SIMT_CODE); }                  \
  void __tsan_write##bytes(void* address) { on_access(address, bytes, kWrite, SIMT_CODE); }            \
  void __tsan_volatile_read##bytes(void* address) { on_access(address, bytes, 0, SIMT_CODE); }         \
  void __tsan_volatile_write##bytes(void* address) { on_access(address, bytes, kWrite, SIMT_CODE); }   \
  void __tsan_unaligned_read##bytes(void* address) { on_pieces(address, bytes, bytes, 0, SIMT_CODE); } \
  void __tsan_unaligned_write##bytes(void* address) { on_pieces(address, bytes, bytes, kWrite, SIMT_CODE); }
SIMT_HOOKS(1)
SIMT_HOOKS(2)
SIMT_HOOKS(4)
SIMT_HOOKS(8)
SIMT_HOOKS(16)
#undef SIMT_HOOKS

// g++ comes here for structs that are less aligned than large: nvcc copies such a struct word by word.
void __tsan_read_range(void* begin, unsigned long bytes) { on_pieces(begin, bytes, kWordBytes, 0, SIMT_CODE); }
void __tsan_write_range(void* begin, unsigned long bytes) { on_pieces(begin, bytes, kWordBytes, kWrite, SIMT_CODE); }

void* __tsan_memcpy(void* to, const void* from, size_t bytes) {
  on_pieces(from, bytes, kWidest, 0, SIMT_CODE);
  on_pieces(to, bytes, kWidest, kWrite, SIMT_CODE);
  return memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, const void* from, size_t bytes) {
  on_pieces(from, bytes, kWidest, 0, SIMT_CODE);
  on_pieces(to, bytes, kWidest, kWrite, SIMT_CODE);
  return memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int value, size_t bytes) {
  on_pieces(to, bytes, kWidest, kWrite, SIMT_CODE);
  return memset(to, value, bytes);
}

void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

}  // extern "C"
