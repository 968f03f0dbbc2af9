#include "kernels/simulator/runtime/segments.h"

#include <algorithm>

namespace simt::runtime {
namespace {

// Numbers begin anew here, with room for one launch's more below 2^32.
constexpr SegmentId kHighestLaunchBegin = SegmentId{1} << 31;

}  // namespace

bool Segments::begin_launch() {
  launch_begin_ = next_id();
  const bool anew = launch_begin_ > kHighestLaunchBegin;
  if (anew) launch_begin_ = kNoSegment + 1;
  of_launch_.clear();
  released_.clear();
  fences_ = 0;
  return anew;
}

void Segments::begin_block(uint64_t block, unsigned warps) {
  block_ = static_cast<uint32_t>(block);
  block_begin_ = next_id();
  barriers_ = 0;
  last_fence_of_block_ = 0;
  current_.assign(warps, kNoSegment);
  warp_barriers_.assign(warps, 0);
  acquired_.clear();
}

void Segments::end_current() { std::fill(current_.begin(), current_.end(), kNoSegment); }

void Segments::pass_barrier() {
  ++barriers_;
  end_current();
}

void Segments::pass_warp_barrier(unsigned warp) {
  ++warp_barriers_[warp];
  current_[warp] = kNoSegment;
}

void Segments::fence() {
  last_fence_of_block_ = ++fences_;
  end_current();
}

void Segments::atomic(uintptr_t address) {
  FenceByBlock& released = released_[address];
  for (const auto& [block, fence] : released) {
    if (block == block_) continue;
    uint32_t& known = acquired_[block];
    known = std::max(known, fence);
  }
  if (last_fence_of_block_ != 0) released[block_] = last_fence_of_block_;
}

SegmentId Segments::current(unsigned warp) {
  SegmentId& id = current_[warp];
  if (id == kNoSegment) {
    id = next_id();
    of_launch_.push_back({block_, warp, barriers_, warp_barriers_[warp], fences_});
  }
  return id;
}

bool Segments::concurrent_segments(const Segment& a, unsigned lane, const Segment& b, unsigned my_lane) const {
  if (a.block != b.block) {
    const auto known = acquired_.find(a.block);
    return known == acquired_.end() || a.fences >= known->second;
  }
  if (a.barriers != b.barriers) return false;
  if (a.warp != b.warp) return true;
  return a.warp_barriers == b.warp_barriers && lane != my_lane;
}

}  // namespace simt::runtime
