/// What the fast build makes of an address that is nobody's. (The checked build knows more: memory_findings_test.cpp.)
#include "tests/simulator/device_array.h"
#include "tests/simulator/expect.h"
#include "tests/simulator/kernels/kernels.h"

using namespace simulator_tests;

TEST_CASE("a null pointer in a fast launch is a finding with kernel, thread and line, and the program lives on") {
  FreshSimulator fresh;
  REQUIRE(write_null(nullptr) == cudaErrorIllegalAddress);
  const simt::Finding finding = require_only(simt::FindingKind::crash);
  REQUIRE(finding.kernel == "simulator_tests::write_null_kernel");
  REQUIRE(finding.actor.thread.x == 7);
  REQUIRE(source_line(finding.actor).find("out[threadIdx.x]") != std::string::npos);
  DeviceArray<float> out(32);
  REQUIRE(write_null(out) == cudaSuccess);
}
