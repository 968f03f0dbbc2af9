#pragma once
/// @file
/// Device memory that every forward pass uses anew: it grows to the largest pass and never shrinks, so that a step of
/// decoding allocates nothing.
#include <vector>

#include "kernels/device.h"

namespace stagecraft {

/// A host array that a pass sends to the device.
template <class T>
class Upload {
 public:
  const T* send(Device& device, const std::vector<T>& host) {
    if (host.size() > array_.size()) array_ = DeviceArray<T>(device, host.size());
    if (!host.empty()) array_.copy_from(host.data(), host.size());
    return array_.data();
  }

 private:
  DeviceArray<T> array_;
};

/// What a pass computes, of one name.
template <class T>
class Result {
 public:
  T* at_least(Device& device, int64_t count) {
    if (size_t(count) > array_.size()) array_ = DeviceArray<T>(device, size_t(count));
    return array_.data();
  }
  T* data() const { return array_.data(); }

  std::vector<T> first(size_t count) const {
    std::vector<T> host(count);
    if (count > 0) array_.copy_to(host.data(), count);
    return host;
  }

 private:
  DeviceArray<T> array_;
};

using Activation = Result<float>;

}  // namespace stagecraft
