/// @file
/// T1, T10, T12 for the CUDA kernels in the simulator: every operation, and every version of the ladders, against the
/// plain contract; and the checked simulator finds nothing wrong with them.
#include <iostream>

#include "kernels/check.h"
#include "kernels/cpu/cpu_device.h"
#include "kernels/cuda/kernel_table.h"
#include "kernels/sim_device.h"
#include "kernels/simulator/config.h"
#include "kernels/simulator/findings.h"
#include "kernels/simulator/simt.h"
#include "tests/catch.h"
#include "tests/kernels/kernel_cases.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

/// Cases that only these kernels find hard, beside those of kernel_cases.h.
template <class Visit>
void for_linear_edges(const Visit& visit) {
  // Four chunks of 64 in flight, with and without a rest; rows that 16-byte loads cannot take; more rows than a block has.
  for (const int in : {256, 320, 519, 600}) {
    for (const int rows : {1, 2, 5, 35}) {
      visit(fmt::format("linear rows {} in {}", rows, in), linear_case(NumberType::bf16, rows, in, 10, true));
    }
  }
}

template <class Visit>
void for_attention_edges(const Visit& visit) {
  const auto visit_one = [&](NumberType type, int heads, int kv_heads, int head_dim, int window,
                             const std::vector<SequenceCase>& sequences) {
    const AttentionShape shape{heads, kv_heads, head_dim, window, 1.0f / std::sqrt(float(head_dim))};
    visit(fmt::format("attention {} {}/{} heads x {}", name_of(type), heads, kv_heads, head_dim),
          attention_case(type, shape, sequences));
  };
  visit_one(NumberType::fp32, 3, 1, 256, kNoWindow, {{70, 3}});    // a tile beyond 48 KB of shared memory
  visit_one(NumberType::bf16, 20, 1, 24, kNoWindow, {{130, 2}});   // more query heads than a block has queries
  visit_one(NumberType::bf16, 11, 11, 8, 70, {{200, 1}, {1, 1}});  // odd head count, a window, rows of one tile
  visit_one(NumberType::fp16, 5, 5, 12, kNoWindow, {{66, 66}});    // no 16-byte loads
  visit_one(NumberType::bf16, 2, 1, 254, kNoWindow, {{65, 4}, {3, 3}});
  visit_one(NumberType::bf16, 14, 2, 64, 3, {{129, 9}, {64, 2}});  // a window that crosses a tile's edge
}

/// Widths around a warp, a tile and a block, by 16-byte loads and without.
template <class Visit>
void for_row_edges(const Visit& visit) {
  constexpr int kRows = 3;
  for (const int width : {1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1032}) {
    RandomNumbers random{uint32_t(width)};
    const std::string shape = fmt::format(" rows {} width {}", kRows, width);
    const int64_t n = int64_t(kRows) * width;
    const StoredNumbers table{NumberType::bf16, random.numbers(50 * width)};
    visit("embedding" + shape, EmbeddingInput{width, table, {49, 0, 7}});
    visit("rms_norm" + shape,
          RmsNormInput{kRows, width, {NumberType::bf16, random.numbers(width)}, random.numbers(n), width % 2 == 0});
    visit("gather_rows" + shape, GatherInput{width, random.numbers(40 * width), {39, 0, 39}});
    for (const auto operation : {PairwiseInput::Operation::swiglu, PairwiseInput::Operation::add}) {
      visit("swiglu or add" + shape, PairwiseInput{operation, kRows, width, random.numbers(n), random.numbers(n)});
    }
  }
}

/// Runs every case on `device` and compares its bits with the plain contract's. Returns how many cases there were.
int compare_with_plain(Device& device, CaseSize size) {
  cpu::CpuDevice plain(1, cpu::kPlainTarget);
  int cases = 0;
  const auto compare = [&](const std::string& name, const auto& input) {
    CAPTURE(name, device.description());
    REQUIRE(difference_to(plain, device, input) == "");
    ++cases;
  };
  for_all_cases(size, compare);
  for_row_edges(compare);
  return cases;
}

/// The same for the versions of the ladders, each in the place of the operation that it is a version of.
int compare_ladders_with_plain(Device& device, const KernelSet& set, CaseSize size) {
  cpu::CpuDevice plain(1, cpu::kPlainTarget);
  int cases = 0;
  const auto compare = [&](const std::string& name, const auto& input) {
    CAPTURE(name, device.description());
    REQUIRE(difference_to(plain, device, input) == "");
    ++cases;
  };
  device.kernels().attention_scratch = set.most_attention_scratch;
  for (const auto& version : set.linear) {
    CAPTURE(version.name);
    device.kernels().linear = version.run;
    for_linear_cases(size, compare);
    for_linear_edges(compare);
  }
  for (const auto& version : set.attention) {
    CAPTURE(version.name);
    device.kernels().attention = version.run;
    for_attention_cases(size, compare);
    for_attention_edges(compare);
  }
  device.kernels() = set.best;
  return cases;
}

/// Has the simulator run blocks and warps in random orders while it lives.
class PermutedOrder {
 public:
  explicit PermutedOrder(uint64_t seed) { simt::config().seed = seed; }
  ~PermutedOrder() { simt::config().seed = 0; }
};

}  // namespace

TEST_CASE("CUDA kernels in the fast simulator give the bits of the plain contract") {
  SimDevice device(SimMode::fast, 0);
  std::cout << "run: " << compare_with_plain(device, CaseSize::small) << " cases\n";
}

TEST_CASE("all versions of linear and attention give the same bits") {
  SimDevice device(SimMode::fast, 0);
  std::cout << "run: " << compare_ladders_with_plain(device, sim::kernel_set(), CaseSize::small) << " cases\n";
}

TEST_CASE("a row's result on the simulator does not depend on the rows beside it") {
  SimDevice device(SimMode::fast, 0);
  for_all_cases(CaseSize::small, [&](const std::string& name, const auto& input) {
    CAPTURE(name);
    REQUIRE(row_difference(device, input) == "");
  });
}

#if STAGECRAFT_CHECKED_KERNELS
TEST_CASE("the checked simulator finds nothing wrong with any operation") {
  SimDevice device(SimMode::checked, 1);  // a finding is a Failure thrown by synchronize
  std::cout << "run: " << compare_with_plain(device, CaseSize::small) << " cases\n";
  CHECK(simt::findings().empty());
}

TEST_CASE("the checked simulator finds nothing wrong with any version of linear and attention") {
  SimDevice device(SimMode::checked, 1);
  std::cout << "run: " << compare_ladders_with_plain(device, sim_checked::kernel_set(), CaseSize::small) << " cases\n";
  CHECK(simt::findings().empty());
}

TEST_CASE("the checked simulator finds nothing when blocks and warps run in another order") {
  SimDevice device(SimMode::checked, 1);
  cpu::CpuDevice plain(1, cpu::kPlainTarget);
  const PermutedOrder order(7);
  const auto compare = [&](const std::string& name, const auto& input) {
    CAPTURE(name);
    REQUIRE(difference_to(plain, device, input) == "");
  };
  for_attention_edges(compare);  // the operations whose warps work together
  for_sample_cases(CaseSize::small, compare);
  CHECK(simt::findings().empty());
}

TEST_CASE("an operation that reads past an array is a Failure that names kernel, place and hint") {
  SimDevice device(SimMode::checked, 1);
  DeviceArray<float> x(device, 64), y(device, 32);
  const auto add_too_much = [&] {
    device.kernels().add(x.data(), y.data(), 64, device.stream());
    device.synchronize();
  };
  const std::vector<float> ones(64, 1.0f);
  x.copy_from(ones.data(), 64);
  y.copy_from(ones.data(), 32);
  try {
    add_too_much();
    FAIL("nothing was found");
  } catch (const Failure& failure) {
    const std::string message = failure.what();
    CAPTURE(message);
    CHECK(message.find("add.cu") != std::string::npos);
    CHECK(message.find("out of bounds") != std::string::npos);
    CHECK(!failure.hint().empty());
  }
  simt::clear_findings();
  CHECK(cudaGetLastError() != cudaSuccess);  // taken, or the next device would be told of it again
}
#endif

TEST_CASE("the order in which blocks and warps run changes no bit") {
  SimDevice device(SimMode::fast, 1);
  for (const uint64_t seed : {1, 2}) {
    const PermutedOrder order(seed);
    CAPTURE(seed);
    compare_with_plain(device, CaseSize::small);
  }
}
