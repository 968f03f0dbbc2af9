/// Random divergent kernels: the simulator's requests against an independent count of what a GPU would issue that
/// reconverges after every branch and every iteration.
#include <array>
#include <random>

#include "tests/simulator/device_array.h"
#include "tests/simulator/expect.h"
#include "tests/simulator/kernels/kernels.h"

using namespace simulator_tests;

namespace {

constexpr int kIterations = 12;
constexpr int kContinue = 7;
constexpr int kBreak = 2;

/// Loads of the warp when its lanes run in step: `iterations` once, then each array as often as any lane needs it.
uint64_t loads_in_step(const std::vector<int>& iterations, const std::vector<int>& code) {
  uint64_t loads = 1;
  std::array<bool, 32> running;
  running.fill(true);
  for (int i = 0;; ++i) {
    bool any = false, any_b = false, any_d = false;
    int most_c = 0;
    for (int t = 0; t < 32; ++t) {
      running[t] = running[t] && i < iterations[t];
      if (!running[t]) continue;
      any = true;
      const int c = code[i * 32 + t];
      if (c == kContinue) continue;
      any_b = any_b || (c & 1) != 0;
      most_c = std::max(most_c, c / 4);
      if (c == kBreak)
        running[t] = false;
      else
        any_d = true;
    }
    if (!any) return loads;
    loads += 2 + (any_b ? 1 : 0) + uint64_t(most_c) + (any_d ? 1 : 0);
  }
}

}  // namespace

TEST_CASE("50 random divergent loops with continue, break and an inner loop: every request is exact") {
  FreshSimulator fresh;
  DeviceArray<float> zeros(std::vector<float>(kIterations * 4 * 32, 0.0f)), out(32);
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    std::vector<int> iterations(32), code(kIterations * 32);
    for (int& n : iterations) n = int(random() % (kIterations + 1));
    for (int& c : code) c = int(random() % 16);
    DeviceArray<int> device_iterations(iterations), device_code(code);
    REQUIRE(run_divergent_loop({device_iterations, device_code, zeros, zeros, zeros, zeros, out}) == cudaSuccess);
    INFO("seed " << seed);
    REQUIRE(simt::last_launch()[simt::MemoryOperation::global_load].requests == loads_in_step(iterations, code));
    REQUIRE(simt::last_launch()[simt::MemoryOperation::global_store].requests == 1);
  }
  require_no_finding();
}

TEST_CASE("traces that are cut in the middle of a divergent loop are merged as if they were whole") {
  FreshSimulator fresh;
  constexpr int rounds = 400;  // more accesses a lane than WarpMerge::kCutAfter
  std::vector<int> iterations(32), code(rounds * 32);
  std::mt19937 random(99);
  for (int t = 0; t < 32; ++t) iterations[t] = rounds - int(random() % 50);
  for (int& c : code) c = int(random() % 16) == kBreak ? 0 : int(random() % 2) * 5;
  DeviceArray<int> device_iterations(iterations), device_code(code);
  DeviceArray<float> zeros(std::vector<float>(rounds * 4 * 32, 0.0f)), out(32);
  REQUIRE(run_divergent_loop({device_iterations, device_code, zeros, zeros, zeros, zeros, out}) == cudaSuccess);
  REQUIRE(simt::last_launch()[simt::MemoryOperation::global_load].requests == loads_in_step(iterations, code));
}
