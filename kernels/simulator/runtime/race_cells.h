#pragma once
/// @file
/// Shadow memory of the race detector: for each 4-byte word the last accesses, by whom and when.
///
/// A word remembers two writers and two readers, each with the bytes it touched, so that neighbours in one word (two
/// bf16) are told apart. More than two of a kind in one stretch and the oldest may be forgotten: a race can be missed,
/// none is invented.
///
/// A 16-byte load is remembered once for its four words: most traffic of a kernel is such loads of memory that nobody
/// writes, and they then touch a sixth of the shadow.
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
  explicit RaceCells(size_t bytes) : words_(bytes / kWordBytes + 1), quads_(bytes / kQuadBytes + 1) {}

  /// Records that bytes [offset, offset + count) were touched, `now` telling by whom; `segments` judges the order.
  /// Touches before `oldest` are forgotten. Returns the first race found.
  std::optional<Race> touch(size_t offset, size_t count, const Touch& now, bool write, SegmentId oldest,
                            const Segments& segments);

 private:
  static constexpr int kKept = 2;
  static constexpr size_t kQuadBytes = 4 * kWordBytes;

  struct Word {
    Touch writers[kKept];
    Touch readers[kKept];
  };
  struct Quad {
    Touch readers[kKept];  // of all four words at once
    SegmentId last_write;  // to any of them
  };
  std::optional<Race> read_quad(size_t offset, const Touch& now, SegmentId oldest, const Segments& segments);
  std::optional<Race> touch_word(size_t offset, const Touch& now, bool write, SegmentId oldest,
                                 const Segments& segments);
  static void remember(Touch (&kept)[kKept], const Touch& now, SegmentId oldest, const Segments& segments);

  LazyArray<Word> words_;
  LazyArray<Quad> quads_;
};

}  // namespace simt::runtime
