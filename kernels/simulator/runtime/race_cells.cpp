#include "kernels/simulator/runtime/race_cells.h"

#include <algorithm>

namespace simt::runtime {
namespace {

constexpr uint8_t kAllBytes = 0xF;  // of a word

const Touch* first_conflict(const Touch* begin, const Touch* end, const Touch& now, SegmentId oldest,
                            const Segments& segments) {
  for (const Touch* touch = begin; touch != end; ++touch) {
    if (touch->segment < oldest || (touch->bytes & now.bytes) == 0) continue;
    if (touch->atomic && now.atomic) continue;
    if (segments.concurrent(touch->segment, touch->lane, now.segment, now.lane)) return touch;
  }
  return nullptr;
}

}  // namespace

// Among concurrent threads the first slot keeps the earliest and the second the latest: a later access meets at least
// one thread other than its own. What is ordered before this access need not be kept: who races with it races with us.
void RaceCells::remember(Touch (&kept)[kKept], const Touch& now, SegmentId oldest, const Segments& segments) {
  for (Touch& touch : kept) {
    const bool same_thread = touch.segment == now.segment && touch.lane == now.lane && touch.atomic == now.atomic;
    if (same_thread) {
      touch.bytes |= now.bytes;
      touch.code = now.code;
      return;
    }
    if (touch.segment < oldest || !segments.concurrent(touch.segment, touch.lane, now.segment, now.lane)) {
      touch = now;
      return;
    }
  }
  kept[kKept - 1] = now;
}

std::optional<Race> RaceCells::read_quad(size_t offset, const Touch& now, SegmentId oldest, const Segments& segments) {
  Quad& quad = quads_[offset / kQuadBytes];
  Touch whole = now;
  whole.bytes = kAllBytes;
  remember(quad.readers, whole, oldest, segments);
  if (quad.last_write < oldest) return std::nullopt;
  for (size_t i = 0; i < kQuadBytes / kWordBytes; ++i) {
    const Word& word = words_[offset / kWordBytes + i];
    if (const Touch* other = first_conflict(word.writers, word.writers + kKept, whole, oldest, segments))
      return Race{*other, true};
  }
  return std::nullopt;
}

std::optional<Race> RaceCells::touch_word(size_t offset, const Touch& now, bool write, SegmentId oldest,
                                          const Segments& segments) {
  std::optional<Race> race;
  Word& word = words_[offset / kWordBytes];
  if (const Touch* other = first_conflict(word.writers, word.writers + kKept, now, oldest, segments))
    race = Race{*other, true};
  if (write) {
    Quad& quad = quads_[offset / kQuadBytes];
    const Touch* other = first_conflict(word.readers, word.readers + kKept, now, oldest, segments);
    if (!other) other = first_conflict(quad.readers, quad.readers + kKept, now, oldest, segments);
    if (other && !race) race = Race{*other, false};
    quad.last_write = now.segment;
  }
  remember(write ? word.writers : word.readers, now, oldest, segments);
  return race;
}

std::optional<Race> RaceCells::touch(size_t offset, size_t count, const Touch& now, bool write, SegmentId oldest,
                                     const Segments& segments) {
  if (count == kQuadBytes && !write) return read_quad(offset, now, oldest, segments);  // it is aligned
  std::optional<Race> first;
  Touch here = now;
  for (const size_t end = offset + count; offset < end;) {
    const size_t in_word = offset % kWordBytes;
    const size_t bytes = std::min(kWordBytes - in_word, end - offset);
    here.bytes = static_cast<uint8_t>(((1u << bytes) - 1) << in_word);
    const std::optional<Race> race = touch_word(offset, here, write, oldest, segments);
    if (race && !first) first = race;
    offset += bytes;
  }
  return first;
}

}  // namespace simt::runtime
