/// Kernels compute what they should, in the fast and in the checked build alike.
#include <numeric>

#include "kernels/simulator/config.h"
#include "tests/simulator/device_array.h"
#include "tests/simulator/kernels/kernels.h"

using namespace simulator_tests;

TEST_CASE("vector add: every element, and none beyond the end") {
  const int n = GENERATE(1, 31, 32, 33, 128, 129, 1000);
  std::vector<float> a(n), b(n), expected(n);
  for (int i = 0; i < n; ++i) {
    a[i] = float(i) * 0.5f;
    b[i] = float(n - i);
    expected[i] = a[i] + b[i];
  }
  DeviceArray<float> device_a(a), device_b(b), sum(n);
  REQUIRE(vector_add(device_a, device_b, sum, n) == cudaSuccess);
  REQUIRE(sum.values() == expected);
}

TEST_CASE("block reduction: dynamic shared memory, barriers and atomics") {
  std::vector<float> x(10000);
  std::iota(x.begin(), x.end(), 1.0f);  // sums of integers below 2^24 a block are exact
  DeviceArray<float> device_x(x), sum(std::vector<float>{0.0f});
  REQUIRE(block_sum(device_x, sum, int(x.size()), true) == cudaSuccess);
  REQUIRE(sum.values()[0] == 10000.0f * 10001.0f / 2.0f);
}

TEST_CASE("results are the same for any number of OS threads and in any order of blocks and warps") {
  simt::config().threads = GENERATE(1, 2, 3, 8);
  simt::config().seed = GENERATE(0, 1, 2);
  std::vector<float> x(10000);
  std::iota(x.begin(), x.end(), 1.0f);
  DeviceArray<float> device_x(x), sum(std::vector<float>{0.0f}), copied(x.size());
  REQUIRE(block_sum(device_x, sum, int(x.size()), true) == cudaSuccess);
  REQUIRE(sum.values()[0] == 10000.0f * 10001.0f / 2.0f);
  REQUIRE(copy(device_x, copied, int(x.size())) == cudaSuccess);
  REQUIRE(copied.values() == x);
  simt::config() = simt::Config{};
}
