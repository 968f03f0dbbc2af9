/// @file
/// What -fsanitize=thread makes of std::atomic. Host code in a checked file comes here (a shared_ptr, a lock); kernels use
/// atomicAdd and its relatives, which do not. The memory order is the strongest one: right for all.
#include <cstdint>

extern "C" {

#define SIMT_ATOMIC_UPDATE(bits, T, name)                                    \
  T __tsan_atomic##bits##_##name(volatile T* cell, T operand, int) {         \
    return __atomic_##name(const_cast<T*>(cell), operand, __ATOMIC_SEQ_CST); \
  }

#define SIMT_ATOMIC_EXCHANGE(bits, T, name, weak)                                                          \
  int __tsan_atomic##bits##_##name(volatile T* cell, T* expected, T desired, int, int) {                   \
    return __atomic_compare_exchange_n(cell, expected, desired, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }

#define SIMT_ATOMICS(bits, T)                                                                                   \
  T __tsan_atomic##bits##_load(const volatile T* cell, int) { return __atomic_load_n(cell, __ATOMIC_SEQ_CST); } \
  void __tsan_atomic##bits##_store(volatile T* cell, T value, int) {                                            \
    __atomic_store_n(cell, value, __ATOMIC_SEQ_CST);                                                            \
  }                                                                                                             \
  T __tsan_atomic##bits##_exchange(volatile T* cell, T value, int) {                                            \
    return __atomic_exchange_n(cell, value, __ATOMIC_SEQ_CST);                                                  \
  }                                                                                                             \
  SIMT_ATOMIC_UPDATE(bits, T, fetch_add)                                                                        \
  SIMT_ATOMIC_UPDATE(bits, T, fetch_sub)                                                                        \
  SIMT_ATOMIC_UPDATE(bits, T, fetch_and)                                                                        \
  SIMT_ATOMIC_UPDATE(bits, T, fetch_or)                                                                         \
  SIMT_ATOMIC_UPDATE(bits, T, fetch_xor)                                                                        \
  SIMT_ATOMIC_UPDATE(bits, T, fetch_nand)                                                                       \
  SIMT_ATOMIC_EXCHANGE(bits, T, compare_exchange_strong, false)                                                 \
  SIMT_ATOMIC_EXCHANGE(bits, T, compare_exchange_weak, true)                                                    \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* cell, T expected, T desired, int, int) {             \
    __atomic_compare_exchange_n(cell, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);           \
    return expected;                                                                                            \
  }

SIMT_ATOMICS(8, uint8_t)
SIMT_ATOMICS(16, uint16_t)
SIMT_ATOMICS(32, uint32_t)
SIMT_ATOMICS(64, uint64_t)

void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

}  // extern "C"
