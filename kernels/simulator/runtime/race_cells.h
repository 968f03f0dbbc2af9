#pragma once
/// @file
/// Shadow memory of the race detector: for each 4-byte word the last accesses, by whom and when.
///
/// A word remembers two writers and two readers, each with the bytes it touched, so that neighbours in one word (two
/// bf16) are told apart. More than two of a kind in one stretch and the oldest may be forgotten: a race can be missed,
/// none is invented.
#include <optional>

#include "kernels/simulator/runtime/access.h"
#include "kernels/simulator/runtime/host_memory.h"
#include "kernels/simulator/runtime/segments.h"

namespace simt::runtime {

/// One remembered access to one word.
struct Touch {
  SegmentId segment;  // kNoSegment: none
  uint32_t code;      // the low bits of its address
  uint8_t lane;
  uint8_t bytes;  // of the word, one bit each
  bool atomic;
};

/// Two accesses that nothing orders.
struct Race {
  Touch earlier;
  bool earlier_writes;
};

class RaceCells {
 public:
  RaceCells() = default;
  /// Shadow for `bytes` of memory.
  explicit RaceCells(size_t bytes) : cells_(bytes / kWordBytes + 1) {}

  /// Records that bytes [offset, offset + count) were touched, `now` telling by whom; `segments` judges the order.
  /// Touches before `oldest` are forgotten. Returns the first race found.
  std::optional<Race> touch(size_t offset, size_t count, const Touch& now, bool write, SegmentId oldest,
                            const Segments& segments);

 private:
  static constexpr int kKept = 2;
  struct Cell {
    Touch writers[kKept];
    Touch readers[kKept];
  };
  static std::optional<Race> touch_word(Cell& cell, const Touch& now, bool write, SegmentId oldest,
                                        const Segments& segments);
  static void remember(Touch (&kept)[kKept], const Touch& now, SegmentId oldest, const Segments& segments);

  LazyArray<Cell> cells_;
};

}  // namespace simt::runtime
