#include "kernels/simulator/atomics.h"

#include <algorithm>
#include <atomic>
#include <type_traits>

#include "kernels/simulator/runtime/hooks.h"

namespace simt::detail {
namespace {

template <class T>
T combine(T old, T operand, AtomicOp op) {
  switch (op) {
    case AtomicOp::add:
      return static_cast<T>(old + operand);
    case AtomicOp::min:
      return std::min(old, operand);
    case AtomicOp::max:
      return std::max(old, operand);
    case AtomicOp::exchange:
      return operand;
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    if (op == AtomicOp::bit_and) return static_cast<T>(old & operand);
    if (op == AtomicOp::bit_or) return static_cast<T>(old | operand);
    return static_cast<T>(old ^ operand);
  }
  return operand;
}

}  // namespace

template <class T>
T atomic(T* address, T operand, AtomicOp op) {
  runtime::on_atomic(address, sizeof(T), __builtin_return_address(0));
  std::atomic_ref<T> cell(*address);
  T old = cell.load(std::memory_order_relaxed);
  while (!cell.compare_exchange_weak(old, combine(old, operand, op), std::memory_order_relaxed)) {
  }
  return old;
}

template <class T>
T atomic_compare_and_swap(T* address, T expected, T value) {
  runtime::on_atomic(address, sizeof(T), __builtin_return_address(0));
  std::atomic_ref<T>(*address).compare_exchange_strong(expected, value, std::memory_order_relaxed);
  return expected;
}

template int atomic(int*, int, AtomicOp);
template unsigned atomic(unsigned*, unsigned, AtomicOp);
template unsigned long long atomic(unsigned long long*, unsigned long long, AtomicOp);
template float atomic(float*, float, AtomicOp);
template double atomic(double*, double, AtomicOp);
template int atomic_compare_and_swap(int*, int, int);
template unsigned atomic_compare_and_swap(unsigned*, unsigned, unsigned);
template unsigned long long atomic_compare_and_swap(unsigned long long*, unsigned long long, unsigned long long);

}  // namespace simt::detail
