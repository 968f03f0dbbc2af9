/// @file
/// From a name on the command line to a device.
#include <fmt/format.h>

#include "kernels/check.h"
#include "kernels/cpu/cpu_device.h"
#include "kernels/device.h"
#if STAGECRAFT_WITH_SIM
#include "kernels/sim_device.h"
#endif
#if STAGECRAFT_WITH_CUDA
#include "kernels/cuda/cuda_device.h"
#endif

namespace stagecraft {
namespace {

/// What --device takes in this build, for a hint.
std::string device_names() {
  std::string names = "auto, cpu";
#if STAGECRAFT_WITH_CUDA
  names += ", cuda";
#endif
#if STAGECRAFT_WITH_SIM
  names += ", sim, sim-checked";
#endif
  return names;
}

}  // namespace

std::unique_ptr<Device> make_device(std::string_view name, int threads) {
#if STAGECRAFT_WITH_CUDA
  if (name == "cuda" || (name == "auto" && cuda::gpu_answers())) return std::make_unique<cuda::CudaDevice>();
#endif
#if STAGECRAFT_WITH_SIM
  if (name == "sim") return std::make_unique<SimDevice>(SimMode::fast, threads);
  if (name == "sim-checked") return std::make_unique<SimDevice>(SimMode::checked, threads);
#endif
  if (name == "cpu" || name == "auto") return std::make_unique<cpu::CpuDevice>(threads);
  throw BadInput(fmt::format("--device {}: no such device in this build", name), "use one of: " + device_names());
}

}  // namespace stagecraft
