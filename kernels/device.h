#pragma once
/// @file
/// A device: memory, a stream, and the table of operations. The engine holds exactly one of these and never asks which.
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "kernels/kernels.h"

namespace stagecraft {

class Device {
 public:
  virtual ~Device() = default;

  /// "cpu", "sim" or "cuda".
  virtual std::string_view name() const = 0;
  /// For people: what runs the arithmetic, such as "cpu: AVX2, 2 threads".
  virtual std::string description() const = 0;
  /// True if kernels read ordinary host memory, so that mapped weights need no copy.
  virtual bool reads_host_memory() const = 0;

  /// Memory for kernels, aligned to at least 64 bytes, with undefined content. Throws Failure when there is none left.
  virtual void* allocate(size_t bytes) = 0;
  virtual void release(void* memory) noexcept = 0;
  /// Bytes that allocate() could hand out now, as far as the system knows.
  virtual int64_t free_memory() const = 0;
  virtual void copy_to_device(void* to, const void* from, size_t bytes) = 0;
  virtual void copy_to_host(void* to, const void* from, size_t bytes) = 0;
  /// Returns when all that was queued has run; throws Failure if any of it failed.
  virtual void synchronize() = 0;
  virtual Stream stream() = 0;

  /// Queues what `queue_operations` queues: operations of the table on this device's stream, and nothing that allocates
  /// or copies. A device may record them and replay them when `key` comes again, without a call of `queue_operations`.
  /// So equal keys promise equal operations on equal arguments; what their arrays hold may differ. Recordings are
  /// forgotten whenever memory is allocated or released.
  virtual void repeat(const std::string& key, const std::function<void()>& queue_operations) {
    static_cast<void>(key);
    queue_operations();
  }

  /// The operations. Not const: a lab or a test puts its own function in.
  Kernels& kernels() { return kernels_; }
  const Kernels& kernels() const { return kernels_; }

 protected:
  explicit Device(const Kernels& kernels) : kernels_(kernels) {}

 private:
  Kernels kernels_;
};

/// Memory of a device that is released with its owner. Movable, not copyable.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  DeviceArray(Device& device, size_t count)
      : device_(&device), data_(static_cast<T*>(device.allocate(count * sizeof(T)))), count_(count) {}
  DeviceArray(DeviceArray&& other) noexcept { swap(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceArray() {
    if (data_) device_->release(data_);
  }

  T* data() const { return data_; }
  size_t size() const { return count_; }
  size_t bytes() const { return count_ * sizeof(T); }

  /// Copies `count` elements from or to host memory, starting at the array's first.
  void copy_from(const T* host, size_t count) { device_->copy_to_device(data_, host, count * sizeof(T)); }
  void copy_to(T* host, size_t count) const { device_->copy_to_host(host, data_, count * sizeof(T)); }

 private:
  void swap(DeviceArray& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
  }

  Device* device_ = nullptr;
  T* data_ = nullptr;
  size_t count_ = 0;
};

/// The device called `name` ("cpu", "sim", "cuda" or "auto"). `threads` counts for cpu and sim; 0 means all cores.
/// Throws BadInput for a name that is unknown or not part of this build.
std::unique_ptr<Device> make_device(std::string_view name, int threads);

}  // namespace stagecraft
