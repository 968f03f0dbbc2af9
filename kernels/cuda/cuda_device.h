#pragma once
/// @file
/// A GPU as a device: its memory, one stream, and graphs for passes that come again.
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "kernels/device.h"

namespace stagecraft::cuda {

class GraphCache;

/// True if a GPU that this build has code for answers. Never throws: no driver, no GPU and too old a GPU are false.
bool gpu_answers();

class CudaDevice final : public Device {
 public:
  /// Takes the first GPU; CUDA_VISIBLE_DEVICES chooses another. Throws BadInput if there is no driver, no GPU, or none
  /// that is new enough.
  CudaDevice();
  ~CudaDevice() override;
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  std::string_view name() const override { return "cuda"; }
  std::string description() const override { return description_; }
  bool reads_host_memory() const override { return false; }

  void* allocate(size_t bytes) override;
  void release(void* memory) noexcept override;
  int64_t free_memory() const override;
  void copy_to_device(void* to, const void* from, size_t bytes) override;
  void copy_to_host(void* to, const void* from, size_t bytes) override;
  void synchronize() override;
  Stream stream() override { return {stream_}; }
  void repeat(const std::string& key, const std::function<void()>& queue_operations) override;

 private:
  std::string description_;
  void* stream_ = nullptr;
  std::unique_ptr<GraphCache> graphs_;
};

}  // namespace stagecraft::cuda
