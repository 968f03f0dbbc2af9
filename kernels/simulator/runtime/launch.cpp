#include "kernels/simulator/launch.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include "kernels/simulator/runtime/hooks.h"
#include "kernels/simulator/runtime/simulator.h"
#include "kernels/simulator/runtime/worker.h"

namespace simt::runtime {
namespace {

// Limits of all GPUs from compute capability 5.0 on (CUDA C++ programming guide, technical specifications).
constexpr unsigned kMostBlockZ = 64;
constexpr unsigned kMostGridYZ = 65535;
constexpr unsigned kMostGridX = 0x7FFFFFFF;

/// What is wrong with a launch's numbers; empty: nothing.
std::string complaint(const Launch& how) {
  const uint64_t threads = uint64_t(how.block.x) * how.block.y * how.block.z;
  if (threads == 0) return "the block has no thread";
  if (threads > kMostThreads)
    return fmt::format("the block has {} threads, a GPU's limit is {}", threads, kMostThreads);
  if (how.block.z > kMostBlockZ) return fmt::format("block.z is {}, the limit is {}", how.block.z, kMostBlockZ);
  if (how.grid.x == 0 || how.grid.y == 0 || how.grid.z == 0) return "the grid has no block";
  if (how.grid.x > kMostGridX) return fmt::format("grid.x is {}, the limit is {}", how.grid.x, kMostGridX);
  if (how.grid.y > kMostGridYZ || how.grid.z > kMostGridYZ)
    return fmt::format("grid.y and grid.z are {} and {}, the limit is {}", how.grid.y, how.grid.z, kMostGridYZ);
  if (how.smem > kMostDynamicShared)
    return fmt::format("{} bytes of dynamic shared memory, the limit is {}", how.smem, kMostDynamicShared);
  return "";
}

cudaError_t refuse(const void* kernel, const std::string& why) {
  FindingLog& log = simulator().findings;
  if (!log.repeated(FindingKind::bad_launch, kernel, {}))
    log.add({FindingKind::bad_launch,
             kernel,
             {{}, {}, {}, "was never run"},
             std::nullopt,
             why,
             "look at how grid and block are computed from the sizes"});
  return remember(cudaErrorInvalidConfiguration);
}

cudaError_t refuse_unchecked(const void* kernel) {
  FindingLog& log = simulator().findings;
  if (!log.repeated(FindingKind::no_hooks, kernel, {}))
    log.add({FindingKind::no_hooks,
             kernel,
             {{}, {}, {}, "was never run"},
             std::nullopt,
             "its memory accesses do not reach the simulator, so nothing could be checked or counted",
             "compile the kernel's file with the flags of cmake/SimulatedKernels.cmake, and without link-time "
             "optimisation"});
  return remember(cudaErrorLaunchFailure);
}

void prepare(Job& job, const Launch& how, uint64_t seed) {
  job.grid = how.grid;
  job.block = how.block;
  job.dynamic_shared_bytes = how.smem;
  job.threads = how.block.x * how.block.y * how.block.z;
  job.warps = (job.threads + kWarpSize - 1) / kWarpSize;
  job.blocks = uint64_t(how.grid.x) * how.grid.y * how.grid.z;
  job.seed = seed;
  if (seed == 0) return;
  std::mt19937_64 random(seed);
  job.block_order.resize(job.blocks);
  std::iota(job.block_order.begin(), job.block_order.end(), 0u);
  for (size_t i = job.block_order.size(); i > 1; --i) std::swap(job.block_order[i - 1], job.block_order[random() % i]);
}

/// One OS thread, natural order within it: counts and findings are the same in every run.
void run_checked(Job& job) {
  Simulator& sim = simulator();
  Worker& worker = Worker::of_this_thread();
  if (sim.traced_worker != worker.id()) {
    sim.tracer = std::make_unique<Tracer>(sim, worker.dynamic_shared());
    sim.traced_worker = worker.id();
  }
  sim.tracer->begin_launch(job, sim.config.races);
  worker.run(job, sim.tracer.get());
  sim.tracer->end_launch(job);
}

void run_fast(Job& job) {
  Simulator& sim = simulator();
  ++sim.memory.unchecked_launches;
  sim.outputs.forget();
  const int asked = sim.config.threads;
  const unsigned threads = asked > 0 ? unsigned(asked) : std::max(1u, std::thread::hardware_concurrency());
  if (threads == 1 || job.blocks == 1) {
    Worker::of_this_thread().run(job, nullptr);
    return;
  }
  if (!sim.helpers || sim.helpers->size() != threads - 1) sim.helpers = std::make_unique<BlockThreads>(threads - 1);
  sim.helpers->run(job);
}

}  // namespace
}  // namespace simt::runtime

namespace simt::detail {

cudaError_t launch(const KernelCall& call, const Launch& how) {
  using namespace simt::runtime;
  if (Worker::running()) return refuse(call.kernel, "a kernel launches a kernel, which the simulator cannot do");
  if (const std::string why = complaint(how); !why.empty()) return refuse(call.kernel, why);
  Simulator& sim = simulator();
  const std::lock_guard one_at_a_time(sim.launching);
  const bool checked = call.probe != nullptr;
  if (checked ? !hooks_fire(call.probe) : sim.config.require_checked) return refuse_unchecked(call.kernel);
  Job job{call};
  prepare(job, how, sim.config.seed);
  if (checked)
    run_checked(job);
  else
    run_fast(job);
  return remember(job.error);
}

}  // namespace simt::detail
