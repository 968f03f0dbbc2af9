#pragma once
/// @file
/// Device blocks with reference counts, for task 5. Each lies in memory of its own, so the simulator knows which are
/// alive. A real pool keeps the memory and gives the block to somebody else: there a use after free reads what belongs to
/// him, and nothing tells you.
#include <cstdint>
#include <map>
#include <stdexcept>

#include "kernels/simulator/simt.h"

namespace lab05 {

class DeviceBlocks {
 public:
  explicit DeviceBlocks(int block_size) : block_size_(block_size) {}
  DeviceBlocks(const DeviceBlocks&) = delete;
  DeviceBlocks& operator=(const DeviceBlocks&) = delete;
  ~DeviceBlocks() {
    for (const auto& [block, references] : references_) (void)cudaFree(block);
  }

  /// A new block (block_size), held once.
  float* take() {
    float* block = nullptr;
    if (cudaMalloc(&block, size_t(block_size_) * sizeof(float)) != cudaSuccess) {
      throw std::runtime_error("no device memory for a block");
    }
    references_[block] = 1;
    return block;
  }

  /// One holder more.
  void share(float* block) { ++count(block); }

  /// One less. Without the last one the memory is freed.
  void release(float* block) {
    if (--count(block) > 0) return;
    references_.erase(block);
    (void)cudaFree(block);
  }

  /// How many hold `block`; 0 if it is not alive.
  int references(float* block) const {
    const auto found = references_.find(block);
    return found == references_.end() ? 0 : found->second;
  }

  int64_t alive() const { return int64_t(references_.size()); }

 private:
  int& count(float* block) {
    if (references(block) == 0) throw std::logic_error("the block is not alive");
    return references_.at(block);
  }

  int block_size_;
  std::map<float*, int> references_;
};

}  // namespace lab05
