#pragma once
/// @file
/// Device memory for tests: filled from a vector, read back as one, released with its owner.
#include <vector>

#include "kernels/simulator/simt.h"
#include "tests/catch.h"

namespace simulator_tests {

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t count) : count_(count) { REQUIRE(cudaMalloc(&data_, count * sizeof(T)) == cudaSuccess); }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    REQUIRE(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess);
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  operator T*() const { return data_; }
  size_t bytes() const { return count_ * sizeof(T); }
  std::vector<T> values() const {
    std::vector<T> host(count_);
    REQUIRE(cudaMemcpy(host.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
    return host;
  }

 private:
  T* data_ = nullptr;
  size_t count_ = 0;
};

}  // namespace simulator_tests
