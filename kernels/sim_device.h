#pragma once
/// @file
/// The simulator as a device: the CUDA kernels of kernels/cuda, run on the CPU.
#include <string>
#include <string_view>

#include "kernels/device.h"

namespace stagecraft {

/// How closely the simulator watches the kernels.
enum class SimMode {
  fast,     ///< not at all; blocks are spread over the threads
  checked,  ///< races, bad addresses, divergent barriers and more are found, memory traffic is counted; one thread
};

class SimDevice final : public Device {
 public:
  /// `threads` 0: all cores. The simulator is one for the whole process: the last device made sets its threads.
  /// Throws BadInput for SimMode::checked in a build that is sanitized and so has no checked kernels.
  SimDevice(SimMode mode, int threads);

  std::string_view name() const override { return mode_ == SimMode::fast ? "sim" : "sim-checked"; }
  std::string description() const override;
  bool reads_host_memory() const override { return false; }

  void* allocate(size_t bytes) override;
  void release(void* memory) noexcept override;
  int64_t free_memory() const override;
  void copy_to_device(void* to, const void* from, size_t bytes) override;
  void copy_to_host(void* to, const void* from, size_t bytes) override;
  /// Throws Failure with the first of the simulator's findings, if there are any.
  void synchronize() override;
  Stream stream() override { return {}; }

 private:
  SimMode mode_;
};

}  // namespace stagecraft
