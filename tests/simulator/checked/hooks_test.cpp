/// The self-test of the hooks: a kernel whose accesses would go unseen is refused.
#include "kernels/simulator/runtime/hooks.h"

#include "tests/simulator/device_array.h"
#include "tests/simulator/expect.h"
#include "tests/simulator/kernels/kernels.h"

using namespace simulator_tests;
using simt::FindingKind;

// This file is compiled without hooks.
namespace {

__global__ void plain_kernel(float* out) { out[threadIdx.x] = 1.0f; }

void plain_probe(volatile int* cell) { *cell = 1; }

}  // namespace

TEST_CASE("a kernel that was compiled with hooks reaches them") {
  FreshSimulator fresh;
  DeviceArray<float> x(8);
  REQUIRE(write_shifted(x, 8, 0) == cudaSuccess);
  require_no_finding();
  REQUIRE(simt::last_launch()[simt::MemoryOperation::global_store].requests == 1);
}

TEST_CASE("the probe tells code with hooks from code without") {
  REQUIRE_FALSE(simt::runtime::hooks_fire(plain_probe));
}

TEST_CASE("a launch that claims hooks but has none, as after link-time optimisation, is refused and says why") {
  FreshSimulator fresh;
  const auto do_nothing = [](void*) {};
  REQUIRE(simt::detail::launch({nullptr, do_nothing, nullptr, 0, plain_probe}, {dim3(1), dim3(1)}) ==
          cudaErrorLaunchFailure);
  const simt::Finding finding = require_only(FindingKind::no_hooks);
  REQUIRE(finding.hint.find("link-time optimisation") != std::string::npos);
}

TEST_CASE("a kernel without hooks runs fast, unless checks are required") {
  FreshSimulator fresh;
  DeviceArray<float> out(32);
  REQUIRE(simt::launch(plain_kernel, {dim3(1), dim3(32)}, static_cast<float*>(out)) == cudaSuccess);
  REQUIRE(out.values()[31] == 1.0f);
  require_no_finding();
  simt::config().require_checked = true;
  REQUIRE(simt::launch(plain_kernel, {dim3(1), dim3(32)}, static_cast<float*>(out)) == cudaErrorLaunchFailure);
  require_only(FindingKind::no_hooks);
}

TEST_CASE("after a fast launch nothing is said of memory that it may have written") {
  FreshSimulator fresh;
  DeviceArray<float> from(32), to(32);
  REQUIRE(simt::launch(plain_kernel, {dim3(1), dim3(32)}, static_cast<float*>(from)) == cudaSuccess);
  REQUIRE(copy(from, to, 32) == cudaSuccess);
  require_no_finding();
  DeviceArray<float> newer(32);
  REQUIRE(copy(newer, to, 32) == cudaSuccess);
  require_only(FindingKind::uninitialised_global);
}
