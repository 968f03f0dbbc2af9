#pragma once
/// @file
/// What a checked launch records.
#include "kernels/simulator/runtime/block_state.h"

namespace simt::runtime {

class Worker;

class Tracer {
 public:
  void begin_block(Worker&) {}
  void end_block() {}
  void pass_barrier() {}
  void count_collective(detail::Collective) {}
  bool merge(Warp&) { return false; }
};

}  // namespace simt::runtime
