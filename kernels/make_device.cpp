/// @file
/// From a name on the command line to a device.
#include <fmt/format.h>

#include "kernels/check.h"
#include "kernels/cpu/cpu_device.h"
#include "kernels/device.h"

namespace stagecraft {

std::unique_ptr<Device> make_device(std::string_view name, int threads) {
  if (name == "cpu" || name == "auto") return std::make_unique<cpu::CpuDevice>(threads);
  throw BadInput(fmt::format("--device {}: no such device in this build", name), "use cpu or auto");
}

}  // namespace stagecraft
