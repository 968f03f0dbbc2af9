/// Races: each with the synchronisation that cures it as the near miss.
#include <numeric>

#include "tests/simulator/device_array.h"
#include "tests/simulator/expect.h"
#include "tests/simulator/kernels/kernels.h"

using namespace simulator_tests;
using simt::FindingKind;

namespace {

std::vector<float> counting(int n) {
  std::vector<float> x(n);
  std::iota(x.begin(), x.end(), 0.0f);
  return x;
}

}  // namespace

TEST_CASE("race in shared memory: both accesses are named, and the variable") {
  FreshSimulator fresh;
  DeviceArray<float> x(counting(64));
  REQUIRE(reverse_in_shared(x, false) == cudaSuccess);
  const std::vector<simt::Finding> found = simt::findings();
  REQUIRE_FALSE(found.empty());
  for (const simt::Finding& finding : found) {
    INFO(describe(finding));
    // Threads that run early read what nobody has written yet; that is told too.
    if (finding.kind == FindingKind::uninitialised_shared) continue;
    REQUIRE(finding.kind == FindingKind::shared_race);
    REQUIRE(finding.text.find("reverse_kernel::copy") != std::string::npos);
    REQUIRE(source_line(finding.actor).find("copy[") != std::string::npos);
    REQUIRE(source_line(*finding.other).find("copy[") != std::string::npos);
    REQUIRE(finding.actor.line != finding.other->line);
    REQUIRE(finding.actor.thread.x + finding.other->thread.x == 63);
  }
  REQUIRE(found.back().kind == FindingKind::shared_race);
}

TEST_CASE("near miss: the same with __syncthreads") {
  FreshSimulator fresh;
  DeviceArray<float> x(counting(64));
  REQUIRE(reverse_in_shared(x, true) == cudaSuccess);
  require_no_finding();
  REQUIRE(x.values()[0] == 63.0f);
}

TEST_CASE("race within a warp: lanes are not in step unless they synchronise") {
  FreshSimulator fresh;
  DeviceArray<float> x(counting(32));
  REQUIRE(rotate_in_warp(x, true) == cudaSuccess);
  require_no_finding();
  REQUIRE(x.values()[31] == 0.0f);
  REQUIRE(rotate_in_warp(x, false) == cudaSuccess);
  REQUIRE(simt::findings().back().kind == FindingKind::shared_race);
}

TEST_CASE("near miss: two threads write the two halves of one 4-byte word") {
  FreshSimulator fresh;
  DeviceArray<stagecraft::bf16> x(std::vector<stagecraft::bf16>(64, stagecraft::round_to_bf16(1.0f)));
  REQUIRE(neighbours_in_a_word(x) == cudaSuccess);
  require_no_finding();
}

TEST_CASE("race in a reduction whose loop lacks the barrier, and the reduction that has it") {
  FreshSimulator fresh;
  DeviceArray<float> x(counting(4096)), sum(std::vector<float>{0.0f});
  REQUIRE(block_sum(x, sum, 4096, true) == cudaSuccess);
  require_no_finding();
  REQUIRE(block_sum(x, sum, 4096, false) == cudaSuccess);
  require_only(FindingKind::shared_race);
}

TEST_CASE("race in global memory between threads of one block, with and without a barrier") {
  FreshSimulator fresh;
  DeviceArray<float> x(counting(64));
  REQUIRE(shift_in_global(x, true) == cudaSuccess);
  require_no_finding();
  REQUIRE(shift_in_global(x, false) == cudaSuccess);
  const simt::Finding finding = require_only(FindingKind::global_race);
  REQUIRE(finding.other.has_value());
  REQUIRE(finding.actor.block.x == finding.other->block.x);
}

TEST_CASE("race in global memory across blocks, and the same with atomics") {
  FreshSimulator fresh;
  DeviceArray<float> x(std::vector<float>(32, 0.0f));
  REQUIRE(add_from_all_blocks(x, true) == cudaSuccess);
  require_no_finding();
  REQUIRE(x.values()[31] == 4.0f);
  REQUIRE(add_from_all_blocks(x, false) == cudaSuccess);
  const simt::Finding finding = require_only(FindingKind::global_race);
  REQUIRE(finding.actor.block.x != finding.other->block.x);
  REQUIRE(finding.actor.thread.x == finding.other->thread.x);
}

TEST_CASE("race across blocks: what the last block reads needs a fence before the counter") {
  FreshSimulator fresh;
  DeviceArray<float> x(counting(512)), partial(8), sum(1);
  DeviceArray<unsigned> finished(std::vector<unsigned>{0});
  REQUIRE(last_block_sums(x, partial, finished, sum, 512, true) == cudaSuccess);
  require_no_finding();
  REQUIRE(sum.values()[0] == 511.0f * 512.0f / 2.0f);
  REQUIRE(cudaMemset(finished, 0, finished.bytes()) == cudaSuccess);
  REQUIRE(last_block_sums(x, partial, finished, sum, 512, false) == cudaSuccess);
  const simt::Finding finding = require_only(FindingKind::global_race);
  REQUIRE(source_line(finding.actor).find("partial[b]") != std::string::npos);
  REQUIRE(source_line(*finding.other).find("partial[blockIdx.x]") != std::string::npos);
}

TEST_CASE("race of an atomic and a plain read, with and without a barrier") {
  FreshSimulator fresh;
  DeviceArray<int> x(std::vector<int>{0, 0});
  REQUIRE(read_beside_atomics(x, true) == cudaSuccess);
  require_no_finding();
  REQUIRE(x.values()[1] == 63);
  REQUIRE(read_beside_atomics(x, false) == cudaSuccess);
  require_only(FindingKind::global_race);
}

TEST_CASE("race of a vector load and a write to one of its elements, in either order, but not to the next") {
  FreshSimulator fresh;
  simt::config().seed = GENERATE(0, 1, 2, 3, 4, 5);
  DeviceArray<float> x(counting(8)), out(1);
  REQUIRE(vector_beside_write(x, out, 4) == cudaSuccess);
  require_no_finding();
  const int written = GENERATE(0, 3);
  REQUIRE(vector_beside_write(x, out, written) == cudaSuccess);
  require_only(FindingKind::global_race);
}

TEST_CASE("findings do not depend on the order in which blocks and warps run") {
  FreshSimulator fresh;
  simt::config().seed = GENERATE(0, 1, 2, 3);
  DeviceArray<float> x(counting(4096)), sum(std::vector<float>{0.0f});
  REQUIRE(block_sum(x, sum, 4096, true) == cudaSuccess);
  require_no_finding();
  REQUIRE(sum.values()[0] == 4095.0f * 4096.0f / 2.0f);
  REQUIRE(block_sum(x, sum, 4096, false) == cudaSuccess);
  require_only(FindingKind::shared_race);
}

TEST_CASE("races are not looked for when they are switched off") {
  FreshSimulator fresh;
  simt::config().races = false;
  DeviceArray<float> x(std::vector<float>(32, 0.0f));
  REQUIRE(add_from_all_blocks(x, false) == cudaSuccess);
  require_no_finding();
}
