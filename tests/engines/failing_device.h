#pragma once
/// @file
/// A device whose memory runs out when a test wants it to, and that counts what is given out and not given back.
#include <memory>

#include <fmt/format.h>

#include "kernels/check.h"
#include "kernels/device.h"

namespace stagecraft::testing {

/// Outlives the device, to be asked when that is gone.
struct MemoryMeter {
  int64_t until_failure = -1;  // allocations that succeed before one fails, once; negative: none fails
  int64_t allocations = 0;
  int64_t live = 0;
};

/// Passes everything on to `inner`.
class FailingDevice final : public Device {
 public:
  FailingDevice(std::unique_ptr<Device> inner, MemoryMeter& meter)
      : Device(inner->kernels()), inner_(std::move(inner)), meter_(meter) {}

  std::string_view name() const override { return inner_->name(); }
  std::string description() const override { return inner_->description(); }
  bool reads_host_memory() const override { return inner_->reads_host_memory(); }

  void* allocate(size_t bytes) override {
    if (meter_.until_failure >= 0 && meter_.until_failure-- == 0) {
      throw Failure(fmt::format("allocation {} fails on purpose", meter_.allocations));
    }
    void* const memory = inner_->allocate(bytes);
    ++meter_.allocations;
    ++meter_.live;
    return memory;
  }
  void release(void* memory) noexcept override {
    if (memory) --meter_.live;
    inner_->release(memory);
  }
  int64_t free_memory() const override { return inner_->free_memory(); }
  void copy_to_device(void* to, const void* from, size_t bytes) override { inner_->copy_to_device(to, from, bytes); }
  void copy_to_host(void* to, const void* from, size_t bytes) override { inner_->copy_to_host(to, from, bytes); }
  void synchronize() override { inner_->synchronize(); }
  Stream stream() override { return inner_->stream(); }
  void repeat(const std::string& key, const std::function<void()>& queue_operations) override {
    inner_->repeat(key, queue_operations);
  }

 private:
  std::unique_ptr<Device> inner_;
  MemoryMeter& meter_;
};

}  // namespace stagecraft::testing
