#pragma once
/// @file
/// Device memory of the simulator for a runner's calls: filled from host memory, read back, released with its owner.
/// Memory that a kernel must fill holds NaNs before, and the simulator reports bytes that were never written.
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/simulator/config.h"
#include "kernels/simulator/runtime_api.h"

namespace stagecraft::labs {

template <class T>
class DeviceVector {
 public:
  /// A copy of `host`.
  explicit DeviceVector(const std::vector<T>& host) : DeviceVector(host.size()) {
    if (!host.empty()) check(cudaMemcpy(data_, host.data(), bytes(), cudaMemcpyHostToDevice));
  }
  /// `count` elements with undefined content.
  explicit DeviceVector(size_t count) : count_(count) { check(cudaMalloc(&data_, bytes())); }
  DeviceVector(const DeviceVector&) = delete;
  DeviceVector& operator=(const DeviceVector&) = delete;
  ~DeviceVector() { (void)cudaFree(data_); }

  T* data() const { return data_; }

  /// The next launch must write every byte: what it leaves out is a finding.
  DeviceVector& must_be_written() {
    simt::must_write(data_, bytes());
    return *this;
  }

  /// The content, once all kernels have run.
  std::vector<T> host() const {
    (void)cudaDeviceSynchronize();  // what a kernel did wrong is among the findings
    std::vector<T> copy(count_);
    if (count_ > 0) check(cudaMemcpy(copy.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return copy;
  }

 private:
  size_t bytes() const { return count_ * sizeof(T); }
  static void check(cudaError_t status) {
    if (status != cudaSuccess) throw std::runtime_error(std::string("simulator: ") + cudaGetErrorString(status));
  }

  T* data_ = nullptr;
  size_t count_;
};

/// `values` as 64-bit integers, for a message.
template <class Values>
std::vector<int64_t> as_integers(const Values& values) {
  return {values.begin(), values.end()};
}

/// The integers of a message as the type that a function takes.
template <class T>
std::vector<T> as(const std::vector<int64_t>& values) {
  std::vector<T> result;
  for (const int64_t value : values) result.push_back(static_cast<T>(value));
  return result;
}

}  // namespace stagecraft::labs
