/// Counts that are known exactly from how a GPU's memory works.
#include <random>

#include "tests/simulator/device_array.h"
#include "tests/simulator/expect.h"
#include "tests/simulator/kernels/kernels.h"

using namespace simulator_tests;
using Operation = simt::MemoryOperation;

namespace {

simt::MemoryCounts counts(Operation operation) { return simt::last_launch()[operation]; }

}  // namespace

TEST_CASE("a warp's strided load and store: 4, 12 and 32 sectors for strides 1, 3 and 33") {
  FreshSimulator fresh;
  const auto [stride, sectors] = GENERATE(table<int, int>({{1, 4}, {3, 12}, {33, 32}}));
  DeviceArray<float> x(std::vector<float>(4096, 1.0f)), out(4096);
  REQUIRE(copy_strided(x, out, 4096, stride) == cudaSuccess);
  for (const Operation operation : {Operation::global_load, Operation::global_store}) {
    REQUIRE(counts(operation).requests == 1);
    REQUIRE(counts(operation).lanes == 32);
    REQUIRE(counts(operation).bytes == 128);
    REQUIRE(counts(operation).moved == uint64_t(sectors));
    REQUIRE(counts(operation).ideal == 4);
  }
  REQUIRE(simt::last_launch().sectors_touched_by_loads == uint64_t(sectors));
}

TEST_CASE("a broadcast load is one sector") {
  FreshSimulator fresh;
  DeviceArray<float> x(std::vector<float>(64, 1.0f)), out(64);
  REQUIRE(copy_strided(x, out, 1, 1) == cudaSuccess);
  REQUIRE(counts(Operation::global_load).moved == 1);
  REQUIRE(counts(Operation::global_load).ideal == 1);
}

TEST_CASE("transpose: 32 sectors a store when naive, 4 through a tile, 32-way conflicts unless padded") {
  FreshSimulator fresh;
  constexpr int n = 64;
  std::vector<float> values(n * n);
  for (int i = 0; i < n * n; ++i) values[i] = float(i);
  DeviceArray<float> x(values), out(n * n);
  const Transpose how = GENERATE(Transpose::naive, Transpose::shared_tile, Transpose::padded_tile);
  REQUIRE(transpose(how, x, out, n) == cudaSuccess);
  require_no_finding();
  REQUIRE(out.values()[1] == float(n));

  constexpr uint64_t requests = n * n / 32;
  REQUIRE(counts(Operation::global_load).requests == requests);
  REQUIRE(counts(Operation::global_load).moved == 4 * requests);
  REQUIRE(counts(Operation::global_store).requests == requests);
  REQUIRE(counts(Operation::global_store).moved == (how == Transpose::naive ? 32 : 4) * requests);
  REQUIRE(counts(Operation::global_store).ideal == 4 * requests);
  if (how == Transpose::naive) return;
  REQUIRE(counts(Operation::shared_store).moved == requests);
  REQUIRE(counts(Operation::shared_load).moved == (how == Transpose::shared_tile ? 32 : 1) * requests);
  REQUIRE(counts(Operation::shared_load).ideal == requests);
  REQUIRE(simt::last_launch().barriers == 4);
}

TEST_CASE("shared memory with a stride of 1 to 32 words: as many wavefronts") {
  FreshSimulator fresh;
  const int stride = GENERATE(1, 2, 4, 8, 16, 32);
  DeviceArray<float> out(32);
  REQUIRE(shared_stride(out, stride) == cudaSuccess);
  REQUIRE(counts(Operation::shared_store).moved == uint64_t(stride));
  REQUIRE(counts(Operation::shared_load).moved == uint64_t(stride));
  REQUIRE(counts(Operation::shared_load).ideal == 1);
}

TEST_CASE("shared memory with an odd stride has no conflict") {
  FreshSimulator fresh;
  DeviceArray<float> out(32);
  REQUIRE(shared_stride(out, 31) == cudaSuccess);
  REQUIRE(counts(Operation::shared_store).moved == 1);
}

TEST_CASE("float4: one request of 16 sectors, four wavefronts, which is ideal") {
  FreshSimulator fresh;
  DeviceArray<float4> x(std::vector<float4>(32, make_float4(1, 2, 3, 4)));
  REQUIRE(shared_vectors(x) == cudaSuccess);
  require_no_finding();
  for (const Operation operation : {Operation::global_load, Operation::global_store}) {
    REQUIRE(counts(operation).requests == 1);
    REQUIRE(counts(operation).moved == 16);
    REQUIRE(counts(operation).ideal == 16);
  }
  for (const Operation operation : {Operation::shared_load, Operation::shared_store}) {
    REQUIRE(counts(operation).requests == 1);
    REQUIRE(counts(operation).moved == 4);
    REQUIRE(counts(operation).ideal == 4);
  }
}

TEST_CASE("shuffles, votes and warp barriers are counted once a warp") {
  FreshSimulator fresh;
  DeviceArray<float> x(std::vector<float>(512, 1.0f)), partial(8), sum(1);
  DeviceArray<unsigned> finished(std::vector<unsigned>{0});
  REQUIRE(last_block_sums(x, partial, finished, sum, 512, true) == cudaSuccess);
  REQUIRE(simt::last_launch().shuffles == 8 * 5);
  REQUIRE(simt::last_launch().barriers == 8);
  REQUIRE(counts(Operation::global_atomic).requests == 8);
  REQUIRE(counts(Operation::global_atomic).lanes == 8);
}

TEST_CASE("a divergent loop: the warp iterates as often as its longest lane, and lanes leave one by one") {
  FreshSimulator fresh;
  constexpr int rows = 200;
  std::mt19937 random(5);
  std::vector<int> row_begin{0}, columns;
  for (int r = 0; r < rows; ++r) {
    const int entries = 1 + int(random() % 12);
    for (int i = 0; i < entries; ++i) columns.push_back(int(random() % rows));
    row_begin.push_back(int(columns.size()));
  }
  DeviceArray<int> device_row_begin(row_begin), device_columns(columns);
  DeviceArray<float> values(std::vector<float>(columns.size(), 1.0f)), x(std::vector<float>(rows, 1.0f)), y(rows);
  REQUIRE(sparse_times_vector(device_row_begin, device_columns, values, x, y, rows) == cudaSuccess);
  require_no_finding();

  uint64_t inner = 0, outer = 0;
  for (int first = 0; first < rows; first += 32) {
    int longest = 0;
    for (int r = first; r < std::min(rows, first + 32); ++r)
      longest = std::max(longest, row_begin[r + 1] - row_begin[r]);
    inner += longest;
    ++outer;
  }
  REQUIRE(counts(Operation::global_store).requests == outer);
  REQUIRE(counts(Operation::global_load).requests == 2 * outer + 3 * inner);
  REQUIRE(counts(Operation::global_load).lanes == 2 * rows + 3 * columns.size());
}

#if !defined(__clang__)  // clang has no -fno-weak: there, the linker may take the function without hooks
TEST_CASE("an inline function that plain code uses too is counted in a kernel") {
  FreshSimulator fresh;
  const std::vector<float> values(128, 1.0f);
  DeviceArray<float> x(values), out(32);
  REQUIRE(inline_sum_of_four(values.data()) == 4.0f);
  REQUIRE(sum_of_four(x, out) == cudaSuccess);
  REQUIRE(counts(Operation::global_load).requests == 4);
}
#endif

TEST_CASE("counts are the same in every order of blocks and warps") {
  FreshSimulator fresh;
  std::vector<uint64_t> moved;
  for (const uint64_t seed : {0, 1, 2}) {
    simt::config().seed = seed;
    DeviceArray<float> x(std::vector<float>(4096, 1.0f)), sum(std::vector<float>{0.0f});
    REQUIRE(block_sum(x, sum, 4096, true) == cudaSuccess);
    moved.push_back(counts(Operation::shared_load).moved + 1000 * counts(Operation::global_load).moved);
  }
  REQUIRE(moved[0] == moved[1]);
  REQUIRE(moved[0] == moved[2]);
}
