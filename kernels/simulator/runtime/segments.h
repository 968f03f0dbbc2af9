#pragma once
/// @file
/// What happens before what. A segment is a stretch of one warp's execution between two synchronisations; accesses of
/// different lanes in one segment are concurrent. Segments are numbered, so an access remembers its whole moment in 32
/// bits.
///
/// Two segments of a block are ordered by a barrier of the block between them, and two of a warp also by a __syncwarp
/// of all its lanes. (Shuffles order no memory: CUDA C++ programming guide, warp shuffle functions.) Blocks are ordered
/// by the pattern of the guide's "memory fence functions": write, __threadfence, atomic on one side; an atomic on the
/// same address, then the read, on the other.
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace simt::runtime {

using SegmentId = uint32_t;
inline constexpr SegmentId kNoSegment = 0;

class Segments {
 public:
  /// A launch begins: no earlier segment counts any more. True, if the numbers begin anew: then whoever remembers
  /// segments must forget them.
  [[nodiscard]] bool begin_launch();
  void begin_block(uint64_t block, unsigned warps);
  /// A barrier of the whole block, or of all lanes of one warp, has been passed.
  void pass_barrier();
  void pass_warp_barrier(unsigned warp);
  /// __threadfence by a lane of the running block.
  void fence();
  /// An atomic of the running block: releases what came before the block's last fence, acquires what others released.
  void atomic(uintptr_t address);

  /// The running segment of a warp of the current block.
  SegmentId current(unsigned warp);

  SegmentId first_of_launch() const { return launch_begin_; }
  SegmentId first_of_block() const { return block_begin_; }
  uint64_t block_of(SegmentId id) const { return at(id).block; }
  unsigned warp_of(SegmentId id) const { return at(id).warp; }

  /// Whether an access of `lane` in segment `earlier` is not ordered before one of `my_lane` in segment `mine`.
  bool concurrent(SegmentId earlier, unsigned lane, SegmentId mine, unsigned my_lane) const {
    if (earlier == mine) return lane != my_lane;
    // Earlier blocks, of which this one has not heard: the usual case of two blocks.
    if (earlier < block_begin_ && acquired_.empty()) return true;
    return concurrent_segments(at(earlier), lane, at(mine), my_lane);
  }

 private:
  struct Segment {
    uint32_t block;
    uint32_t warp;
    uint32_t barriers;       // of the block, before it
    uint32_t warp_barriers;  // of the warp, before it
    uint32_t fences;         // of the whole launch, before it
  };
  using FenceByBlock = std::unordered_map<uint32_t, uint32_t>;

  const Segment& at(SegmentId id) const { return of_launch_[id - launch_begin_]; }
  SegmentId next_id() const { return launch_begin_ + static_cast<SegmentId>(of_launch_.size()); }
  void end_current();
  bool concurrent_segments(const Segment& a, unsigned lane, const Segment& b, unsigned my_lane) const;

  std::vector<Segment> of_launch_;  // numbered from launch_begin_
  SegmentId launch_begin_ = kNoSegment + 1;
  SegmentId block_begin_ = kNoSegment + 1;
  std::vector<SegmentId> current_;       // of each warp; kNoSegment: to be made at the next access
  std::vector<uint32_t> warp_barriers_;  // of each warp
  uint32_t block_ = 0;
  uint32_t barriers_ = 0;
  uint32_t fences_ = 0;
  uint32_t last_fence_of_block_ = 0;                      // 0: none yet
  std::unordered_map<uintptr_t, FenceByBlock> released_;  // by an atomic on that address
  FenceByBlock acquired_;                                 // by the running block
};

}  // namespace simt::runtime
