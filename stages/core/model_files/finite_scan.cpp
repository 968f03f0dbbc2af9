/// @file
/// An exponent of all ones marks NaN and infinity in each of the three formats: an integer test, which vectorises.
#include "stages/core/model_files/finite_scan.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <type_traits>

namespace stagecraft {
namespace {

constexpr int64_t kPieceBytes = int64_t(4) << 20;  // what a thread takes at a time: some 100 us of work
constexpr unsigned kMostThreads = 4;               // more do not read faster than memory delivers

bool is_nonfinite(bf16 value) { return (value.bits & 0x7F80u) == 0x7F80u; }
bool is_nonfinite(fp16 value) { return (value.bits & 0x7C00u) == 0x7C00u; }
bool is_nonfinite(float value) { return (bits_of(value) & 0x7F800000u) == 0x7F800000u; }

/// Counts in integers as wide as an element, so that a vector of elements costs one mask, one compare and one
/// subtraction; a block is too short to overflow such a counter.
template <class Element>
int64_t count_in(const Element* values, int64_t elements) {
  using Counter = std::conditional_t<sizeof(Element) == 2, uint16_t, uint32_t>;
  constexpr int64_t kBlock = 8192;
  int64_t count = 0;
  for (int64_t begin = 0; begin < elements; begin += kBlock) {
    const int64_t end = std::min(begin + kBlock, elements);
    Counter in_block = 0;
    for (int64_t i = begin; i < end; ++i) in_block = Counter(in_block + Counter(is_nonfinite(values[i])));
    count += in_block;
  }
  return count;
}

/// A stretch of one item.
struct Piece {
  size_t item;
  int64_t begin, end;  // elements
};

std::vector<Piece> cut_into_pieces(std::span<const ScanItem> items) {
  std::vector<Piece> pieces;
  for (size_t item = 0; item < items.size(); ++item) {
    const int64_t step = kPieceBytes / bytes_of(items[item].weight.type);
    for (int64_t begin = 0; begin < items[item].elements; begin += step) {
      pieces.push_back({item, begin, std::min(begin + step, items[item].elements)});
    }
  }
  return pieces;
}

/// The work that all threads share: whoever is free takes the next piece.
class Scan {
 public:
  explicit Scan(std::span<const ScanItem> items)
      : items_(items), pieces_(cut_into_pieces(items)), counts_(items.size()) {}

  /// Scans one more piece; false when none is left.
  bool step() {
    const size_t index = next_.fetch_add(1, std::memory_order_relaxed);
    if (index >= pieces_.size()) return false;
    const Piece& piece = pieces_[index];
    const WeightView weight = items_[piece.item].weight;
    const int64_t found = with_elements(weight.type, weight.data, [&](const auto* values) {
      return count_in(values + piece.begin, piece.end - piece.begin);
    });
    if (found > 0) counts_[piece.item].fetch_add(found, std::memory_order_relaxed);
    done_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }

  double share() const { return double(done_.load(std::memory_order_relaxed)) / double(pieces_.size()); }
  size_t pieces() const { return pieces_.size(); }
  std::vector<int64_t> counts() const { return {counts_.begin(), counts_.end()}; }

 private:
  std::span<const ScanItem> items_;
  std::vector<Piece> pieces_;
  std::vector<std::atomic<int64_t>> counts_;
  std::atomic<size_t> next_{0}, done_{0};
};

}  // namespace

std::vector<int64_t> count_nonfinite(std::span<const ScanItem> items,
                                     const std::function<void(double share)>& progress) {
  Scan scan(items);
  {
    const size_t threads = std::min<size_t>(std::min(std::thread::hardware_concurrency(), kMostThreads), scan.pieces());
    std::vector<std::jthread> helpers;  // joined at the end of this scope, also when progress throws
    for (size_t i = 1; i < threads; ++i) {
      helpers.emplace_back([&scan](const std::stop_token& stop) {
        while (!stop.stop_requested() && scan.step()) continue;
      });
    }
    while (scan.step()) {
      if (progress) progress(scan.share());
    }
  }
  if (progress) progress(1.0);
  return scan.counts();
}

}  // namespace stagecraft
