#include "kernels/simulator/runtime/memory_counts.h"

#include <algorithm>
#include <array>

#include "kernels/simulator/runtime/block_state.h"

namespace simt::runtime {
namespace {

constexpr unsigned kBanks = 32;
constexpr unsigned kMostWords = kWarpSize * 4;  // of a request: 16 bytes a lane

uint64_t divide_up(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

/// Different numbers among those added. Most requests are in rising order: then nothing is searched.
template <unsigned capacity>
class DistinctNumbers {
 public:
  bool add(uint64_t number) {
    if (size_ == 0 || number > largest_) {
      largest_ = number;
    } else {
      for (unsigned i = size_; i-- > 0;)
        if (numbers_[i] == number) return false;
    }
    numbers_[size_++] = number;
    return true;
  }
  unsigned size() const { return size_; }

 private:
  std::array<uint64_t, capacity> numbers_;
  uint64_t largest_ = 0;
  unsigned size_ = 0;
};

/// Wavefronts of lanes [begin, end) together: as many as the fullest bank has words.
void add_wavefronts(const Record* const* begin, const Record* const* end, MemoryCounts& counts) {
  DistinctNumbers<kMostWords> words;
  std::array<uint8_t, kBanks> words_of_bank{};
  for (const Record* const* lane = begin; lane != end; ++lane) {
    const uint64_t first = (*lane)->address / kWordBytes;
    const uint64_t last = ((*lane)->address + (*lane)->bytes - 1) / kWordBytes;
    for (uint64_t word = first; word <= last; ++word)
      if (words.add(word)) ++words_of_bank[word % kBanks];
  }
  counts.moved += *std::max_element(words_of_bank.begin(), words_of_bank.end());
  counts.ideal += divide_up(words.size(), kBanks);
}

}  // namespace

MemoryCounts count_global(const Record* const* lanes, unsigned count) {
  // Accesses are aligned, so none lies in two sectors.
  DistinctNumbers<kWarpSize> sectors, addresses;
  for (unsigned i = 0; i < count; ++i) {
    sectors.add(lanes[i]->address / kSectorBytes);
    addresses.add(lanes[i]->address);
  }
  const uint64_t bytes = lanes[0]->bytes;
  return {1, count, count * bytes, sectors.size(), divide_up(addresses.size() * bytes, kSectorBytes)};
}

MemoryCounts count_shared(const Record* const* lanes, unsigned count) {
  // 32 banks deliver 128 bytes at a time: 8-byte accesses go by half warps, 16-byte ones by quarter warps.
  const unsigned bytes = static_cast<unsigned>(lanes[0]->bytes);
  const unsigned at_a_time = kWarpSize * unsigned(kWordBytes) / std::max<unsigned>(bytes, kWordBytes);
  MemoryCounts counts{1, count, uint64_t(count) * bytes, 0, 0};
  for (unsigned begin = 0; begin < count; begin += at_a_time)
    add_wavefronts(lanes + begin, lanes + std::min(count, begin + at_a_time), counts);
  return counts;
}

}  // namespace simt::runtime
