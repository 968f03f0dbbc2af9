#pragma once
/// @file
/// Zeroed host memory whose pages cost nothing until they are touched: for shadow memory and stacks.
#include <cstddef>
#include <utility>

namespace simt::runtime {

/// Throws std::bad_alloc.
char* reserve_host_memory(size_t bytes);
void release_host_memory(void* memory, size_t bytes);

/// An array of such memory. T must be valid when all its bytes are zero.
template <class T>
class LazyArray {
 public:
  LazyArray() = default;
  explicit LazyArray(size_t count)
      : data_(reinterpret_cast<T*>(reserve_host_memory(count * sizeof(T)))), count_(count) {}
  LazyArray(LazyArray&& other) noexcept { swap(other); }
  LazyArray& operator=(LazyArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~LazyArray() {
    if (data_) release_host_memory(data_, count_ * sizeof(T));
  }

  size_t size() const { return count_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }

 private:
  void swap(LazyArray& other) {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
  }

  T* data_ = nullptr;
  size_t count_ = 0;
};

}  // namespace simt::runtime
