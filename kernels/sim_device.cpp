#include "kernels/sim_device.h"

#include <fmt/format.h>

#include "kernels/check.h"
#include "kernels/cuda/kernel_table.h"
#include "kernels/host_memory.h"
#include "kernels/simulator/config.h"
#include "kernels/simulator/findings.h"
#include "kernels/simulator/simt.h"

namespace stagecraft {
namespace {

/// The first finding as an error, and how many more there are.
[[noreturn]] void throw_findings(const std::string& what, const std::vector<simt::Finding>& findings) {
  std::string message = what;
  if (!findings.empty()) message += ": " + simt::describe(findings.front());
  if (findings.size() > 1) message += fmt::format(" ({} more findings)", findings.size() - 1);
  throw Failure(message, findings.empty() ? "" : findings.front().hint);
}

void check_status(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw Failure(fmt::format("simulator: {}: {}", what, cudaGetErrorString(status)));
}

const Kernels& kernels_for(SimMode mode) {
  if (mode == SimMode::fast) return sim::kernel_set().best;
#if STAGECRAFT_CHECKED_KERNELS
  return sim_checked::kernel_set().best;
#else
  throw BadInput("--device sim-checked: this build is sanitized and has no checked kernels",
                 "use the release preset, or --device sim");
#endif
}

[[noreturn]] void launch_failed_in_simulator(const char* kernel, const char* reason) {
  throw_findings(fmt::format("simulator: kernel {} failed: {}", kernel, reason), simt::findings());
}

}  // namespace

namespace sim {
[[noreturn]] void launch_failed(const char* kernel, const char* reason) { launch_failed_in_simulator(kernel, reason); }
}  // namespace sim
namespace sim_checked {
[[noreturn]] void launch_failed(const char* kernel, const char* reason) { launch_failed_in_simulator(kernel, reason); }
}  // namespace sim_checked

SimDevice::SimDevice(SimMode mode, int threads) : Device(kernels_for(mode)), mode_(mode) {
  simt::config().threads = threads;
}

std::string SimDevice::description() const {
  if (mode_ == SimMode::checked) return "sim-checked: CUDA kernels in the simulator, watched and counted, 1 thread";
  const int threads = simt::config().threads;
  const std::string how_many =
      threads == 0 ? "all cores" : fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
  return "sim: CUDA kernels in the simulator, " + how_many;
}

void* SimDevice::allocate(size_t bytes) {
  void* memory = nullptr;
  if (cudaMalloc(&memory, bytes) != cudaSuccess) {
    (void)cudaGetLastError();  // told here, and not again by the next synchronize
    throw Failure(fmt::format("the simulator has no memory left: {} more bytes were asked for", bytes),
                  "use a shorter context, fewer requests at a time, or --kv-type bf16");
  }
  return memory;
}

void SimDevice::release(void* memory) noexcept { (void)cudaFree(memory); }

int64_t SimDevice::free_memory() const { return free_host_memory(); }

void SimDevice::copy_to_device(void* to, const void* from, size_t bytes) {
  check_status(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copy to the device");
}

void SimDevice::copy_to_host(void* to, const void* from, size_t bytes) {
  synchronize();
  check_status(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copy to the host");
}

void SimDevice::synchronize() {
  const cudaError_t status = cudaDeviceSynchronize();
  const std::vector<simt::Finding> findings = simt::findings();
  if (!findings.empty()) throw_findings("simulator", findings);
  check_status(status, "synchronize");
}

}  // namespace stagecraft
