#pragma once
/// @file
/// atomicAdd and its relatives, for int, unsigned, unsigned long long, float and double as CUDA has them.
#include "kernels/simulator/keywords.h"

namespace simt::detail {

enum class AtomicOp : uint8_t { add, min, max, exchange, bit_and, bit_or, bit_xor };

/// Applies `op` at `address` and returns what was there before. Defined for the five types below.
template <class T>
T atomic(T* address, T operand, AtomicOp op);
/// Stores `value` at `address` if it holds `expected`; returns what was there before.
template <class T>
T atomic_compare_and_swap(T* address, T expected, T value);

}  // namespace simt::detail

#define SIMT_ATOMIC(name, T, op)                                               \
  SIMT_INLINE T name(T* address, T operand) {                                  \
    return simt::detail::atomic(address, operand, simt::detail::AtomicOp::op); \
  }
#define SIMT_ATOMIC_INTEGERS(name, op) \
  SIMT_ATOMIC(name, int, op)           \
  SIMT_ATOMIC(name, unsigned, op)      \
  SIMT_ATOMIC(name, unsigned long long, op)
SIMT_ATOMIC_INTEGERS(atomicAdd, add)
SIMT_ATOMIC(atomicAdd, float, add)
SIMT_ATOMIC(atomicAdd, double, add)
SIMT_ATOMIC_INTEGERS(atomicMin, min)
SIMT_ATOMIC_INTEGERS(atomicMax, max)
SIMT_ATOMIC_INTEGERS(atomicExch, exchange)
SIMT_ATOMIC(atomicExch, float, exchange)
SIMT_ATOMIC_INTEGERS(atomicAnd, bit_and)
SIMT_ATOMIC_INTEGERS(atomicOr, bit_or)
SIMT_ATOMIC_INTEGERS(atomicXor, bit_xor)
#undef SIMT_ATOMIC_INTEGERS
#undef SIMT_ATOMIC

SIMT_INLINE int atomicSub(int* address, int operand) { return atomicAdd(address, -operand); }
SIMT_INLINE unsigned atomicSub(unsigned* address, unsigned operand) { return atomicAdd(address, 0u - operand); }

#define SIMT_ATOMIC_CAS(T)                                                  \
  SIMT_INLINE T atomicCAS(T* address, T expected, T value) {                \
    return simt::detail::atomic_compare_and_swap(address, expected, value); \
  }
SIMT_ATOMIC_CAS(int)
SIMT_ATOMIC_CAS(unsigned)
SIMT_ATOMIC_CAS(unsigned long long)
#undef SIMT_ATOMIC_CAS
