#pragma once
/// @file
/// The devices that kernel tests of the stages run on: the cpu, and the simulator where this build has it.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/check.h"
#include "kernels/cpu/cpu_device.h"
#include "kernels/device.h"
#include "tests/catch.h"

namespace stagecraft::testing {

/// Calls `test` with the device called `name`, unless this build is without it; in a section of the test report.
inline void on_device_called(const std::string& name, const std::function<void(Device&)>& test) {
  std::unique_ptr<Device> device;
  try {
    device = make_device(name, 1);
  } catch (const BadInput&) {
    REQUIRE(name != "cpu");
    return;  // built without it: no section
  }
  DYNAMIC_SECTION("on " << name) { test(*device); }
}

/// The cpu, and the simulator unless this build is without it, as one under ThreadSanitizer is.
inline std::vector<std::string> device_names() {
  std::vector<std::string> names{"cpu"};
  try {
    make_device("sim", 1);
    names.emplace_back("sim");
  } catch (const BadInput&) {
  }
  return names;
}

/// The plain contract, and each instruction set of this machine.
inline std::vector<std::string> cpu_targets() {
  std::vector<std::string> names{std::string(cpu::kPlainTarget)};
  for (const cpu::SimdTarget& target : cpu::simd_targets()) {
    if (target.runs_here) names.emplace_back(target.name);
  }
  return names;
}

/// Calls `test` with each of them; a section of the test report a device.
inline void on_each_device(const std::function<void(Device&)>& test) {
  for (const std::string& name : device_names()) on_device_called(name, test);
}

/// The same, and on the cpu with each of its targets.
inline void on_each_target(const std::function<void(Device&)>& test) {
  for (const std::string& target : cpu_targets()) {
    DYNAMIC_SECTION("on cpu, " << target) {
      cpu::CpuDevice device(2, target);
      test(device);
    }
  }
  on_device_called("sim", test);
}

}  // namespace stagecraft::testing
