#pragma once
/// @file
/// The devices that kernel tests of the stages run on: the cpu, and the simulator where this build has it.
#include <functional>
#include <memory>
#include <string>

#include "kernels/check.h"
#include "kernels/device.h"
#include "tests/catch.h"

namespace stagecraft::testing {

/// Calls `test` with each of them; a section of the test report a device.
inline void on_each_device(const std::function<void(Device&)>& test) {
  for (const std::string name : {"cpu", "sim"}) {
    std::unique_ptr<Device> device;
    try {
      device = make_device(name, 1);
    } catch (const BadInput&) {
      REQUIRE(name != "cpu");
      continue;  // built without it: no section
    }
    DYNAMIC_SECTION("on " << name) { test(*device); }
  }
}

}  // namespace stagecraft::testing
