#include "tests/engines/engine_models.h"

#include <algorithm>
#include <map>

#include "tests/stages/test_devices.h"

namespace stagecraft::testing {
namespace {

const std::string kCpuTarget = "cpu ";

std::unique_ptr<Device> device_called(const std::string& name) {
  if (name.rfind(kCpuTarget, 0) != 0) return make_device(name, 1);
  return std::make_unique<cpu::CpuDevice>(1, name.substr(kCpuTarget.size()));
}

}  // namespace

TestModel& engine_model(const std::string& folder, const std::string& device) {
  static std::map<std::pair<std::string, std::string>, TestModel> models;
  const auto known = models.find({folder, device});
  if (known != models.end()) return known->second;
  return models.try_emplace({folder, device}, folder, device_called(device)).first->second;
}

const std::vector<std::string>& engine_devices() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found;
    for (const std::string& target : cpu_targets()) found.push_back(kCpuTarget + target);
    for (const char* name : {"cuda", "sim"}) {
      try {
        make_device(name, 1);
        found.emplace_back(name);
      } catch (const Error&) {  // built without it, or no GPU answers
      }
    }
    return found;
  }();
  return names;
}

bool has_simulator() { return engine_devices().back() == "sim"; }

}  // namespace stagecraft::testing
