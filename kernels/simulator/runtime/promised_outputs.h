#pragma once
/// @file
/// Outputs that a launch was declared to write in full (simt::must_write).
#include <cstddef>
#include <cstdint>
#include <vector>

namespace simt::runtime {

struct Simulator;

class PromisedOutputs {
 public:
  /// Forgets what was written there so far.
  void promise(Simulator& simulator, const void* memory, size_t bytes);
  /// After the launch of `kernel`: reports each output with a byte that was not written. The promises are over.
  void settle(Simulator& simulator, const void* kernel);
  void forget() { outputs_.clear(); }

 private:
  struct Output {
    uintptr_t begin;
    size_t bytes;
  };
  std::vector<Output> outputs_;
};

}  // namespace simt::runtime
