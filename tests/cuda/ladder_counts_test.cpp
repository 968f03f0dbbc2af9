/// @file
/// What each step of a ladder claims to have improved, in counts of the checked simulator.
#if STAGECRAFT_CHECKED_KERNELS
#include "kernels/cuda/bench/work.h"
#include "kernels/sim_device.h"
#include "kernels/simulator/profile.h"
#include "tests/catch.h"

using namespace stagecraft;
using simt::MemoryOperation;

namespace {

/// Loads from global memory, of each version in order.
std::vector<simt::MemoryCounts> loads_of(Device& device, const Work& work, const std::vector<LadderStep>& ladder) {
  std::vector<simt::MemoryCounts> loads;
  for (const LadderStep& step : ladder) {
    simt::clear_profile();
    work.run(step.kernels, device.stream());
    device.synchronize();
    simt::MemoryCounts sum;
    for (const simt::KernelProfile& kernel : simt::profile()) sum += kernel[MemoryOperation::global_load];
    loads.push_back(sum);
  }
  return loads;
}

}  // namespace

TEST_CASE("each version of linear moves less, or with fewer requests, than the one before") {
  SimDevice device(SimMode::checked, 1);
  constexpr int kRows = 8, kIn = 256, kOut = 64;
  const auto loads = loads_of(device, linear_work(device, kRows, kIn, kOut), linear_ladder(sim_checked::kernel_set()));
  REQUIRE(loads.size() == 4);
  CHECK(loads[0].moved > 5 * loads[1].moved);        // a row of its own for each lane: sectors wasted
  CHECK(loads[1].moved == loads[1].ideal);           // coalesced
  CHECK(loads[1].requests > 5 * loads[2].requests);  // 16 bytes a lane
  CHECK(loads[2].moved > 3 * loads[3].moved);        // weights once for all rows
  const uint64_t weight_sectors = kIn * kOut * sizeof(bf16) / 32;
  const uint64_t x_sectors_of_v4 = 2 * (kOut / 8) * (kRows * kIn * sizeof(float) / 32);  // each half of a sector alone
  CHECK(loads[3].moved == weight_sectors + x_sectors_of_v4);
}

TEST_CASE("each version of attention moves less than the one before, and the last spreads it over more blocks") {
  SimDevice device(SimMode::checked, 1);
  const AttentionShape shape{8, 4, 32, kNoWindow, 0.176776695f};
  const KernelSet& set = sim_checked::kernel_set();
  constexpr int kContext = 256;
  const auto loads = loads_of(device, attention_work(device, set, shape, 1, kContext), attention_ladder(set));
  REQUIRE(loads.size() == 4);
  CHECK(loads[0].moved > 2 * loads[1].moved);
  CHECK(loads[1].moved > 10 * loads[2].moved);
  CHECK(loads[2].moved == loads[2].ideal);
  CHECK(loads[3].moved == loads[3].ideal);

  simt::clear_profile();
  attention_work(device, set, shape, 1, kContext).run(set.best, device.stream());
  CHECK(simt::profile().front().blocks == 4 * kContext / 64);  // key/value heads x tiles
}

TEST_CASE("a block table costs the engine's attention next to no loads, and the first versions a load a key") {
  SimDevice device(SimMode::checked, 1);
  const AttentionShape shape{8, 4, 32, kNoWindow, 0.176776695f};
  const KernelSet& set = sim_checked::kernel_set();
  constexpr int kContext = 256, kBlock = 16;
  for (const int rows : {1, 16}) {
    CAPTURE(rows);
    const auto contiguous = loads_of(device, attention_work(device, set, shape, rows, kContext), attention_ladder(set)),
               paged =
                   loads_of(device, attention_work(device, set, shape, rows, kContext, kBlock), attention_ladder(set));
    for (const size_t first : {0, 1}) CHECK(paged[first].requests > contiguous[first].requests);
    for (const size_t engine : {2, 3}) {
      CHECK(paged[engine].requests == contiguous[engine].requests);
      CHECK(100 * paged[engine].moved < 103 * contiguous[engine].moved);
    }
  }
}
#endif
