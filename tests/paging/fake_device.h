#pragma once
/// @file
/// A device without arithmetic. Instead of K and V, a slot holds a number that stands for all tokens up to the one
/// stored there, as K and V do. So whoever reads a slot sees whether it holds the right token after the right prefix,
/// and any fault of sharing shows: a wrong block, a lost copy, a write into what another reads, a freed block in a table.
#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <unordered_set>
#include <vector>

#include "kernels/check.h"
#include "stages/core/kv_store.h"

namespace stagecraft {

class FakeDevice {
 public:
  static constexpr uint64_t kPoison = 0xdead'dead'dead'dead;
  static constexpr uint64_t kStart = 1;

  FakeDevice(int64_t blocks, int64_t block_size)
      : block_size_(block_size), memory_(size_t(blocks * block_size), kPoison) {}

  /// What is stored for `token` after a prefix that ends with `before`.
  static uint64_t stored(uint64_t before, TokenId token) {
    const uint64_t mixed = (before ^ uint64_t(token + 7)) * 0xd6e8feb86659fd93;
    return mixed ^ (mixed >> 29);
  }

  /// The copies, in any order; then a pass may begin.
  void copy(std::vector<BlockCopy> copies, std::mt19937_64& random) {
    std::shuffle(copies.begin(), copies.end(), random);
    for (const BlockCopy& copy : copies) {
      std::copy_n(memory_.begin() + copy.from * block_size_, block_size_, memory_.begin() + copy.to * block_size_);
    }
    written_.clear();
  }

  void write(int64_t slot, uint64_t value) {
    check(written_.insert(slot).second, "a slot is written once in a pass");
    memory_.at(size_t(slot)) = value;
  }

  uint64_t read(int64_t slot) const { return memory_.at(size_t(slot)); }

  void poison(int64_t block) { std::fill_n(memory_.begin() + block * block_size_, block_size_, kPoison); }

 private:
  int64_t block_size_;
  std::vector<uint64_t> memory_;         // (slots)
  std::unordered_set<int64_t> written_;  // in this pass
};

}  // namespace stagecraft
