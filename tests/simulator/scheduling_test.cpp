/// What the scheduler finds by itself, in the fast and in the checked build alike.
#include "tests/simulator/device_array.h"
#include "tests/simulator/expect.h"
#include "tests/simulator/kernels/kernels.h"

using namespace simulator_tests;
using simt::FindingKind;

namespace {

constexpr double kShortLimit = 0.05;  // seconds of CPU time a block

}  // namespace

TEST_CASE("divergent barrier: threads that end before it are reported, and the others go on") {
  FreshSimulator fresh;
  DeviceArray<float> out(std::vector<float>(64, 0.0f));
  REQUIRE(leave_before_barrier(out, 40) == cudaSuccess);
  const simt::Finding finding = require_only(FindingKind::divergent_barrier);
  REQUIRE(finding.kernel == "simulator_tests::leave_kernel");
  REQUIRE(source_line(finding.actor).find("__syncthreads") != std::string::npos);
  REQUIRE(finding.other->thread.x == 40);
  REQUIRE(out.values()[39] == 1.0f);
  REQUIRE(out.values()[40] == 0.0f);
}

TEST_CASE("divergent barrier: two different ones in two branches stop the kernel") {
  FreshSimulator fresh;
  DeviceArray<float> out(64);
  REQUIRE(barrier_in_two_branches(out, true) == cudaErrorLaunchFailure);
  const simt::Finding finding = require_only(FindingKind::divergent_barrier);
  REQUIRE(finding.actor.thread.x == 0);
  REQUIRE(finding.other->thread.x == 40);
  REQUIRE(finding.actor.line == finding.other->line + 2);
}

TEST_CASE("near miss: a barrier that all threads reach, also through a branch that is the same for all") {
  FreshSimulator fresh;
  DeviceArray<float> out(64);
  REQUIRE(leave_before_barrier(out, 64) == cudaSuccess);
  REQUIRE(barrier_in_two_branches(out, false) == cudaSuccess);
  require_no_finding();
}

TEST_CASE("deadlock: half a warp shuffles with all lanes, the other half waits at a barrier") {
  FreshSimulator fresh;
  DeviceArray<float> out(32);
  REQUIRE(shuffle_against_barrier(out) == cudaErrorLaunchFailure);
  const simt::Finding finding = require_only(FindingKind::deadlock);
  REQUIRE(source_line(finding.actor).find("__shfl_xor_sync") != std::string::npos);
  REQUIRE(source_line(*finding.other).find("__syncthreads") != std::string::npos);
}

TEST_CASE("mismatched shuffles: two halves meet at different lines under the mask of the whole warp") {
  FreshSimulator fresh;
  DeviceArray<float> out(32);
  REQUIRE(shuffles_of_two_halves(out, false) == cudaSuccess);
  const simt::Finding finding = require_only(FindingKind::warp_mismatch);
  REQUIRE(finding.actor.line + 2 == finding.other->line);
}

TEST_CASE("near miss: two halves shuffle in their own branch with their own masks") {
  FreshSimulator fresh;
  DeviceArray<float> out(32);
  REQUIRE(shuffles_of_two_halves(out, true) == cudaSuccess);
  require_no_finding();
  REQUIRE(out.values()[4] == 5.0f);
  REQUIRE(out.values()[20] == 22.0f);
}

TEST_CASE("mismatched masks: a lane calls a shuffle whose mask leaves it out") {
  FreshSimulator fresh;
  DeviceArray<float> out(32);
  REQUIRE(call_outside_mask(out) == cudaSuccess);
  REQUIRE(require_only(FindingKind::warp_mismatch).actor.thread.x == 16);
}

TEST_CASE("a shuffle that reads a lane outside of its mask is reported, one inside is not") {
  FreshSimulator fresh;
  DeviceArray<float> out(32);
  REQUIRE(shuffle_from(out, 7) == cudaSuccess);
  require_no_finding();
  REQUIRE(out.values()[0] == 8.0f);
  REQUIRE(shuffle_from(out, 9) == cudaSuccess);
  const simt::Finding finding = require_only(FindingKind::absent_lane);
  REQUIRE(finding.text.find("lane 9") != std::string::npos);
}

TEST_CASE("every shuffle, vote and reduction gives what CUDA defines") {
  FreshSimulator fresh;
  DeviceArray<int> out(12);
  REQUIRE(all_collectives(out) == cudaSuccess);
  require_no_finding();
  const int sum = 32 * 33 / 2;
  REQUIRE(out.values() == std::vector<int>{sum, sum, sum, 16 + 3 + 1, int(0xAAAAAAAAu), 1, 0, sum, -32, -1, -1, 0});
}

TEST_CASE("endless loop: a wait for a flag that nobody sets") {
  FreshSimulator fresh;
  simt::config().seconds_per_block = kShortLimit;
  DeviceArray<int> flag(std::vector<int>{0});
  DeviceArray<float> out(32);
  REQUIRE(wait_for_flag(flag, out) == cudaErrorLaunchTimeout);
  const simt::Finding finding = require_only(FindingKind::endless_loop);
  REQUIRE(finding.actor.file.find("endless.cu") != std::string::npos);
  REQUIRE(source_line(finding.actor).find("while") != std::string::npos);
}

TEST_CASE("near miss: a wait for a flag that is set") {
  FreshSimulator fresh;
  DeviceArray<int> flag(std::vector<int>{1});
  DeviceArray<float> out(32);
  REQUIRE(wait_for_flag(flag, out) == cudaSuccess);
  require_no_finding();
}

TEST_CASE("endless loop without memory access or call") {
  FreshSimulator fresh;
  simt::config().seconds_per_block = kShortLimit;
  DeviceArray<float> out(32);
  REQUIRE(compute(out, -1) == cudaErrorLaunchTimeout);
  REQUIRE(require_only(FindingKind::endless_loop).kernel == "simulator_tests::compute_kernel");
}

TEST_CASE("endless loop over a barrier") {
  FreshSimulator fresh;
  simt::config().seconds_per_block = kShortLimit;
  DeviceArray<float> out(64);
  REQUIRE(barriers_for_ever(out, -1) == cudaErrorLaunchTimeout);
  REQUIRE(require_only(FindingKind::endless_loop).kernel == "simulator_tests::barriers_kernel");
}

TEST_CASE("near miss: long loops that end") {
  FreshSimulator fresh;
  DeviceArray<float> out(64);
  REQUIRE(compute(out, 100000) == cudaSuccess);
  REQUIRE(barriers_for_ever(out, 1000) == cudaSuccess);
  require_no_finding();
}

TEST_CASE("stack overflow: reported, and the program lives on") {
  FreshSimulator fresh;
  DeviceArray<float> out(32);
  REQUIRE(recurse(out, 100000) == cudaErrorIllegalAddress);
  const simt::Finding finding = require_only(FindingKind::stack_overflow);
  REQUIRE(finding.actor.thread.x == 0);
  REQUIRE(finding.actor.file.find("endless.cu") != std::string::npos);
  REQUIRE(recurse(out, 10) == cudaSuccess);
  REQUIRE(simt::findings().size() == 1);
}

TEST_CASE("near miss: a recursion that needs most of a thread's stack") {
  FreshSimulator fresh;
  DeviceArray<float> out(32);
  REQUIRE(recurse(out, 100) == cudaSuccess);
  require_no_finding();
}

TEST_CASE("an exception that leaves a kernel ends the launch, not the program") {
  FreshSimulator fresh;
  DeviceArray<float> out(32);
  REQUIRE(throw_exception(out) == cudaErrorLaunchFailure);
  REQUIRE(require_only(FindingKind::exception).actor.thread.x == 5);
}

TEST_CASE("a launch that no GPU could run is refused and says why") {
  FreshSimulator fresh;
  DeviceArray<float> out(32);
  REQUIRE(write_dynamic_shared(out, 60000) == cudaErrorInvalidConfiguration);
  REQUIRE(require_only(FindingKind::bad_launch).text == "240000 bytes of dynamic shared memory, the limit is 232448");
}

TEST_CASE("an error stays until it is asked for, and the next launch is not harmed by it") {
  FreshSimulator fresh;
  DeviceArray<float> out(32);
  REQUIRE(shuffle_against_barrier(out) == cudaErrorLaunchFailure);
  REQUIRE(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  REQUIRE(cudaGetLastError() == cudaErrorLaunchFailure);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(shuffle_from(out, 7) == cudaSuccess);
  REQUIRE(out.values()[0] == 8.0f);
}

TEST_CASE("copies that leave an allocation, or mistake host for device, are refused") {
  FreshSimulator fresh;
  DeviceArray<float> device(8);
  std::vector<float> host(9);
  REQUIRE(cudaMemcpy(device, host.data(), 32, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemcpy(device, host.data(), 36, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  REQUIRE(cudaMemcpy(host.data(), host.data(), 32, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  REQUIRE(cudaMemset(host.data(), 0, 32) == cudaErrorInvalidValue);
  REQUIRE(cudaFree(host.data()) == cudaErrorInvalidValue);
  REQUIRE(cudaMemcpy(host.data(), device, 32, cudaMemcpyDefault) == cudaSuccess);
}
