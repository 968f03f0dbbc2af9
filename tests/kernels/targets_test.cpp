/// @file
/// T1, T10, T12 on the cpu: each instruction set that this machine has against the plain contract.
#include <iostream>
#include <set>

#include "kernels/check.h"
#include "kernels/cpu/cpu_device.h"
#include "tests/catch.h"
#include "tests/kernels/kernel_cases.h"
#include "tests/sanitized.h"

using namespace stagecraft;
using namespace stagecraft::testing;
using cpu::CpuDevice;
using cpu::kPlainTarget;

namespace {

/// A sanitizer, which would take minutes for the large ones, runs the small cases of every kind.
constexpr CaseSize kCases = kSanitized ? CaseSize::small : CaseSize::full;

/// The targets that can be tested here. The others are named in the output, as not run.
std::vector<std::string> targets_here() {
  std::vector<std::string> names;
  for (const cpu::SimdTarget& target : cpu::simd_targets()) {
    if (target.runs_here) {
      names.emplace_back(target.name);
    } else {
      std::cout << "not run: kernels for " << target.name << ", which this machine does not have\n";
    }
  }
  return names;
}

}  // namespace

TEST_CASE("every SIMD target gives the bits of the plain contract, with 1, 2 and 3 threads") {
  CpuDevice plain(1, kPlainTarget);
  for (const std::string& target : targets_here()) {
    CpuDevice one(1, target), two(2, target), three(3, target);
    int cases = 0;
    for_all_cases(kCases, [&](const std::string& name, const auto& input) {
      CAPTURE(target, name);
      const auto expected = run(plain, input);
      for (CpuDevice* device : {&one, &two, &three}) {
        CAPTURE(device->threads());
        REQUIRE(first_difference(expected, run(*device, input)) == "");
      }
      ++cases;
    });
    std::cout << "run: " << cases << " cases on " << target << "\n";
  }
}

TEST_CASE("a row's result does not depend on the rows beside it") {
  for (const std::string& target : targets_here()) {
    CpuDevice device(2, target);
    for_all_cases(kCases, [&](const std::string& name, const auto& input) {
      CAPTURE(target, name);
      REQUIRE(row_difference(device, input) == "");
    });
  }
}

TEST_CASE("the plain contract's rows are independent too") {
  CpuDevice plain(1, kPlainTarget);
  for_all_cases(CaseSize::small, [&](const std::string& name, const auto& input) {
    CAPTURE(name);
    REQUIRE(row_difference(plain, input) == "");
  });
}

TEST_CASE("a run repeated gives the same bits") {
  CpuDevice device(3);
  for_all_cases(CaseSize::small, [&](const std::string& name, const auto& input) {
    CAPTURE(name);
    const auto first = run(device, input);
    for (int i = 0; i < 3; ++i) REQUIRE(first_difference(first, run(device, input)) == "");
  });
}

TEST_CASE("an unknown target is refused and the known ones are named") {
  try {
    CpuDevice device(1, "SSE1");
    FAIL("accepted");
  } catch (const BadInput& error) {
    CHECK(std::string(error.what()).find("SSE1") != std::string::npos);
    CHECK(error.hint().find("plain") != std::string::npos);
  }
}

TEST_CASE("a device says what it runs on") {
  CpuDevice plain(1, kPlainTarget);
  CHECK(plain.name() == "cpu");
  CHECK(plain.description() == "cpu: plain, 1 thread");
  CHECK(CpuDevice(3).threads() == (CpuDevice().target() == kPlainTarget ? 1 : 3));
}
