#pragma once
/// @file
/// A target model for checks. Its "keys and values" are one number a token, and what it says next depends on all that are
/// stored before: one wrong slot, and it says something else. Both the check and the learner's process know its formula,
/// but not the code that they judge.
#include <cstdint>

namespace toy {

/// What a pass stores for a token.
inline int64_t kv_of(int32_t token, int64_t position) { return (int64_t(token) << 24) + position; }

/// What lies in a slot that holds no token.
inline constexpr int64_t kGarbage = -0x5CA1AB1E;

/// A text, as far as it has been read.
class Reader {
 public:
  explicit Reader(uint64_t language) : state_(language) {}

  void read(int64_t kv) {
    constexpr uint64_t kSpread = 0x9E3779B97F4A7C15u;  // 2^64 / golden ratio
    state_ = (state_ ^ uint64_t(kv)) * kSpread;
    state_ ^= state_ >> 29;
  }
  int32_t next(int64_t vocabulary) const { return int32_t(state_ % uint64_t(vocabulary)); }

 private:
  uint64_t state_;
};

}  // namespace toy
