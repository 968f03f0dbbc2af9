/// Wrong addresses and uninitialised memory: each detector with a case that must fire and a near miss that must not.
#include "tests/simulator/device_array.h"
#include "tests/simulator/expect.h"
#include "tests/simulator/kernels/kernels.h"

using namespace simulator_tests;
using simt::FindingKind;

namespace {

bool mentions(const simt::Finding& finding, const std::string& text) {
  INFO(describe(finding));
  return finding.text.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("out of bounds: a write above an allocation names it and the distance") {
  FreshSimulator fresh;
  DeviceArray<float> x(1000);
  REQUIRE(write_shifted(x, 1001, 0) == cudaErrorIllegalAddress);
  const simt::Finding finding = require_only(FindingKind::out_of_bounds);
  REQUIRE(finding.kernel == "simulator_tests::write_shifted_kernel");
  REQUIRE(finding.actor.block.x == 7);
  REQUIRE(finding.actor.thread.x == 1000 - 7 * 128);
  REQUIRE(finding.actor.action == "writes 4 bytes");
  REQUIRE(source_line(finding.actor).find("x[i + offset] = ") != std::string::npos);
  REQUIRE(mentions(finding, "just past the end of the 4000-byte allocation of "));
  REQUIRE(mentions(finding, "device_array.h:"));
}

TEST_CASE("out of bounds: a write below an allocation names that one, not its neighbour") {
  FreshSimulator fresh;
  DeviceArray<float> neighbour(999), x(1000);
  REQUIRE(write_shifted(x, 1000, -1) == cudaErrorIllegalAddress);
  REQUIRE(mentions(require_only(FindingKind::out_of_bounds), "4 bytes before the 4000-byte allocation"));
}

TEST_CASE("out of bounds: far from any allocation") {
  FreshSimulator fresh;
  DeviceArray<float> x(8);
  REQUIRE(write_shifted(x, 1, 1 << 28) == cudaErrorIllegalAddress);
  REQUIRE(mentions(require_only(FindingKind::out_of_bounds), "far from any allocation"));
}

TEST_CASE("near miss: the first and the last element of an allocation") {
  FreshSimulator fresh;
  DeviceArray<float> neighbour(999), x(1000), other_neighbour(1);
  REQUIRE(write_shifted(x, 1000, 0) == cudaSuccess);
  REQUIRE(write_shifted(x, 1, 999) == cudaSuccess);
  require_no_finding();
}

TEST_CASE("out of bounds in shared memory, above and below, names the variable") {
  FreshSimulator fresh;
  DeviceArray<float> out(32);
  REQUIRE(write_shifted_in_shared(out, 1) == cudaErrorIllegalAddress);
  REQUIRE(mentions(require_only(FindingKind::out_of_bounds),
                   "just past the end of the 128 bytes of simulator_tests::write_shifted_in_shared_kernel::array"));
  simt::clear_findings();
  REQUIRE(write_shifted_in_shared(out, -1) == cudaErrorIllegalAddress);
  REQUIRE(mentions(require_only(FindingKind::out_of_bounds),
                   "4 bytes before the 128 bytes of simulator_tests::write_shifted_in_shared_kernel::array"));
}

TEST_CASE("near miss: the first and last element of a shared array") {
  FreshSimulator fresh;
  DeviceArray<float> out(32);
  REQUIRE(write_shifted_in_shared(out, 0) == cudaSuccess);
  require_no_finding();
}

TEST_CASE("out of bounds in dynamic shared memory: one element less than threads, and just enough") {
  FreshSimulator fresh;
  DeviceArray<float> out(32);
  REQUIRE(write_dynamic_shared(out, 32) == cudaSuccess);
  require_no_finding();
  REQUIRE(write_dynamic_shared(out, 31) == cudaErrorIllegalAddress);
  REQUIRE(mentions(require_only(FindingKind::out_of_bounds), "the 124 bytes of dynamic shared memory"));
}

TEST_CASE("use after free, and the same memory before it is freed") {
  FreshSimulator fresh;
  float* x = nullptr;
  REQUIRE(cudaMalloc(&x, 400) == cudaSuccess);
  REQUIRE(write_shifted(x, 100, 0) == cudaSuccess);
  require_no_finding();
  REQUIRE(cudaFree(x) == cudaSuccess);
  REQUIRE(write_shifted(x, 100, 0) == cudaErrorIllegalAddress);
  REQUIRE(mentions(require_only(FindingKind::use_after_free), "which was freed"));
  REQUIRE(cudaFree(x) == cudaErrorInvalidValue);  // twice
}

TEST_CASE("misaligned vector load, and an aligned one in the middle") {
  FreshSimulator fresh;
  DeviceArray<float> x(std::vector<float>(16, 1.0f)), out(1);
  REQUIRE(load_vector_at(x, out, 4) == cudaSuccess);
  require_no_finding();
  REQUIRE(out.values()[0] == 4.0f);
  REQUIRE(load_vector_at(x, out, 1) == cudaErrorIllegalAddress);
  const simt::Finding finding = require_only(FindingKind::misaligned);
  REQUIRE(finding.actor.action == "reads 16 bytes");
  REQUIRE(mentions(finding, "it is 4 too high"));
}

TEST_CASE("a vector load that starts inside an allocation and ends past it") {
  FreshSimulator fresh;
  DeviceArray<float> x(std::vector<float>(6, 1.0f)), out(1);
  REQUIRE(load_vector_at(x, out, 4) == cudaErrorIllegalAddress);
  REQUIRE(mentions(require_only(FindingKind::out_of_bounds), "ends 8 bytes past it"));
}

TEST_CASE("host pointer, and null") {
  FreshSimulator fresh;
  std::vector<float> host(32);
  REQUIRE(write_shifted(host.data(), 32, 0) == cudaErrorIllegalAddress);
  require_only(FindingKind::host_pointer);
  simt::clear_findings();
  REQUIRE(write_null(nullptr) == cudaErrorIllegalAddress);
  const simt::Finding finding = require_only(FindingKind::host_pointer);
  REQUIRE(mentions(finding, "null pointer"));
  REQUIRE(finding.actor.thread.x == 7);
}

TEST_CASE("uninitialised shared memory: one element too few written, and just enough") {
  FreshSimulator fresh;
  DeviceArray<float> out(32);
  REQUIRE(read_shared(out, 32) == cudaSuccess);
  require_no_finding();
  REQUIRE(read_shared(out, 31) == cudaSuccess);
  const simt::Finding finding = require_only(FindingKind::uninitialised_shared);
  REQUIRE(finding.actor.thread.x == 31);
  REQUIRE(mentions(finding, "byte 124 of simulator_tests::read_shared_kernel::array"));
}

TEST_CASE("uninitialised global memory: copied, set or written by a kernel before, or not") {
  FreshSimulator fresh;
  DeviceArray<float> never(64), copied(std::vector<float>(64, 1.0f)), set(64), written(64), out(64);
  REQUIRE(cudaMemset(set, 0, set.bytes()) == cudaSuccess);
  REQUIRE(copy(copied, written, 64) == cudaSuccess);
  REQUIRE(copy(set, out, 64) == cudaSuccess);
  REQUIRE(copy(written, out, 64) == cudaSuccess);
  require_no_finding();
  REQUIRE(copy(never, out, 64) == cudaSuccess);
  const simt::Finding finding = require_only(FindingKind::uninitialised_global);
  REQUIRE(mentions(finding, "byte 0 of the 256-byte allocation"));
  REQUIRE(finding.count == 64);
}

TEST_CASE("uninitialised global memory: memory that is freed and allocated again") {
  FreshSimulator fresh;
  DeviceArray<float> out(64);
  for (int i = 0; i < 3; ++i) {
    DeviceArray<float> large(std::vector<float>(10 << 20, 1.0f));  // so large that memory is reused
    REQUIRE(copy(large, out, 64) == cudaSuccess);
    require_no_finding();
  }
  DeviceArray<float> again(10 << 20);
  REQUIRE(copy(again, out, 64) == cudaSuccess);
  require_only(FindingKind::uninitialised_global);
}

TEST_CASE("output not fully written: one element missing, and none") {
  FreshSimulator fresh;
  DeviceArray<float> from(std::vector<float>(100, 1.0f)), to(std::vector<float>(100, 2.0f));
  simt::must_write(to, to.bytes());
  REQUIRE(copy(from, to, 100) == cudaSuccess);
  require_no_finding();
  simt::must_write(to, to.bytes());
  REQUIRE(copy(from, to, 99) == cudaSuccess);
  const simt::Finding finding = require_only(FindingKind::unwritten_output);
  REQUIRE(mentions(finding, "4 of the 400 bytes of its output were not written, the first is byte 396"));
}

TEST_CASE("new memory is poisoned: what a kernel leaves out is a NaN") {
  FreshSimulator fresh;
  DeviceArray<float> x(2);
  REQUIRE(write_shifted(x, 1, 0) == cudaSuccess);
  REQUIRE(x.values()[0] == 0.0f);
  REQUIRE(x.values()[1] != x.values()[1]);
}
