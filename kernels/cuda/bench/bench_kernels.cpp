/// @file
/// bench_kernels: what each version of linear and attention asks of memory, counted exactly by the checked simulator, and
/// on a machine with a GPU how fast it is there.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "kernels/check.h"
#include "kernels/cuda/bench/work.h"
#include "kernels/sim_device.h"
#include "kernels/simulator/profile.h"
#if STAGECRAFT_WITH_CUDA
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/gpu_timer.h"
#endif

namespace {

using namespace stagecraft;
using simt::MemoryOperation;

constexpr const char* kFooter =
    R"(columns: requests are memory instructions of warps; sectors are the 32-byte pieces that global loads move, of which
"ideal" is the fewest that hold the bytes asked for; wavefronts are passes through the banks of shared memory.

exit: 0 done, 1 failed while running, 2 bad usage or bad input.)";

/// The kernels of one operation together: attention_v4_splits is two.
struct Counts {
  simt::MemoryCounts loads, stores, shared;
  uint64_t shuffles = 0, barriers = 0;
};

/// The kernels that one call of an operation launched, in order.
std::vector<simt::KernelProfile> profile_of(Device& device, const Kernels& kernels, const Work& work) {
  simt::clear_profile();
  work.run(kernels, device.stream());
  device.synchronize();
  return simt::profile();
}

/// Of a contiguous cache, to compare with.
struct MemoryLoads {
  double requests, sectors;
};

Counts sum_of(const std::vector<simt::KernelProfile>& profile) {
  Counts sum;
  for (const simt::KernelProfile& kernel : profile) {
    sum.loads += kernel[MemoryOperation::global_load];
    sum.stores += kernel[MemoryOperation::global_store];
    sum.shared += kernel[MemoryOperation::shared_load];
    sum.shared += kernel[MemoryOperation::shared_store];
    sum.shuffles += kernel.shuffles;
    sum.barriers += kernel.barriers;
  }
  return sum;
}

/// Calls visit(work, ladder) for the shapes of tales-5m: small enough for the simulator, and of every kind.
template <class Visit>
void for_small_ladders(Device& device, const KernelSet& set, const Visit& visit) {
  for (const int rows : {1, 8}) visit(linear_work(device, rows, 256, 704), linear_ladder(set));
  const AttentionShape shape{8, 4, 32, kNoWindow, 0.176776695f};
  for (const int block_size : {kContiguous, 16}) {
    for (const int rows : {1, 16}) {
      visit(attention_work(device, set, shape, rows, 256, block_size), attention_ladder(set));
    }
  }
  const std::vector<LadderStep> engine = {{"the engine's", set.best}};
  visit(copy_blocks_work(device, shape, 3, 16), engine);
  visit(verify_work(device, 16, 8), engine);
}

/// What a block table costs beside a run of slots, for each version of attention: one row after 256, by block size.
void print_indirection() {
  SimDevice device(SimMode::checked, 1);
  const KernelSet& set = sim_checked::kernel_set();
  const AttentionShape shape{8, 4, 32, kNoWindow, 0.176776695f};
  constexpr const char* kLine = "  {:<28}{:>10}{:>10}{:>12}{:>10}{:>9}\n";
  fmt::print("\nthe block table's share: global loads of attention over 256, 1 row\n");
  fmt::print(kLine, "version", "slots", "requests", "more", "sectors", "more");
  for (const LadderStep& step : attention_ladder(set)) {
    MemoryLoads contiguous{};
    for (const int block_size : {kContiguous, 1, 16, 256}) {
      const Work work = attention_work(device, set, shape, 1, 256, block_size);
      const simt::MemoryCounts loads = sum_of(profile_of(device, step.kernels, work)).loads;
      if (block_size == kContiguous) contiguous = {double(loads.requests), double(loads.moved)};
      const auto more = [](uint64_t now, double before) {
        return fmt::format("{:+.1f} %", 100 * (double(now) / before - 1));
      };
      fmt::print(kLine, step.version, block_size == kContiguous ? "one run" : fmt::format("by {}", block_size),
                 loads.requests, more(loads.requests, contiguous.requests), loads.moved,
                 more(loads.moved, contiguous.sectors));
    }
  }
}

void print_counts() {
  SimDevice device(SimMode::checked, 1);
  constexpr const char* kLine = "  {:<28}{:>10}{:>10}{:>10}{:>9}{:>12}{:>9}{:>10}{:>9}\n";
  for_small_ladders(device, sim_checked::kernel_set(), [&](const Work& work, const std::vector<LadderStep>& ladder) {
    fmt::print("\n{}: {:.0f} bytes must move\n", work.name, work.least_bytes);
    fmt::print(kLine, "version", "requests", "sectors", "ideal", "stored", "wavefronts", "ideal", "shuffles",
               "barriers");
    for (const LadderStep& step : ladder) {
      const Counts c = sum_of(profile_of(device, step.kernels, work));
      fmt::print(kLine, step.version, c.loads.requests, c.loads.moved, c.loads.ideal, c.stores.moved, c.shared.moved,
                 c.shared.ideal, c.shuffles, c.barriers);
    }
  });
}

/// A line a launch: version, sectors loaded, sectors stored, wavefronts of shared memory.
void print_csv() {
  SimDevice device(SimMode::checked, 1);
  for_small_ladders(device, sim_checked::kernel_set(), [&](const Work& work, const std::vector<LadderStep>& ladder) {
    for (const LadderStep& step : ladder) {
      for (const simt::KernelProfile& kernel : profile_of(device, step.kernels, work)) {
        const Counts c = sum_of({kernel});
        fmt::print("{},{},{},{}\n", step.version, c.loads.moved, c.stores.moved, c.shared.moved);
      }
    }
  });
}

#if STAGECRAFT_WITH_CUDA
/// The launches that print_csv counts, in the same order and nothing else, for a profiler to watch.
void run_on_gpu() {
  cuda::CudaDevice device;
  for_small_ladders(device, cuda::kernel_set(), [&](const Work& work, const std::vector<LadderStep>& ladder) {
    for (const LadderStep& step : ladder) work.run(step.kernels, device.stream());
  });
  device.synchronize();
}

void print_speeds() {
  cuda::CudaDevice device;
  const double copy = cuda::copy_bandwidth(device);
  fmt::print("\n{}; copies {:.0f} GB/s\n", device.description(), copy / 1e9);
  const auto print_ladder = [&](const Work& work, const std::vector<LadderStep>& ladder) {
    fmt::print("\n{}\n", work.name);
    for (const LadderStep& step : ladder) {
      const double seconds = cuda::seconds_per_run(device, [&] { work.run(step.kernels, device.stream()); });
      const double speed = work.least_bytes / seconds;
      fmt::print("  {:<28}{:>12.1f} us{:>10.1f} GB/s{:>8.1f} % of a copy\n", step.version, seconds * 1e6, speed / 1e9,
                 100 * speed / copy);
    }
  };
  const KernelSet& set = cuda::kernel_set();
  for (const int rows : {1, 8, 256}) print_ladder(linear_work(device, rows, 4096, 14336), linear_ladder(set));
  const AttentionShape shape{32, 8, 128, kNoWindow, 0.0883883476f};
  print_ladder(attention_work(device, set, shape, 1, 8192), attention_ladder(set));
  print_ladder(attention_work(device, set, shape, 1, 8192, 16), attention_ladder(set));
  print_ladder(attention_work(device, set, shape, 512, 512), attention_ladder(set));
}
#endif

int run(int argc, const char* const* argv) {
  CLI::App app("Counts, and on a GPU times, every version of linear and attention, and what a block table costs.",
               "bench_kernels");
  bool csv = false, on_gpu = false;
  app.add_flag("--csv", csv, "counts of each launch, separated by commas, for other programs");
  app.add_flag("--on-gpu", on_gpu, "the launches that are counted, on the GPU, for a profiler to watch");
  app.footer(kFooter);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    throw BadInput(error.what(), "bench_kernels --help lists the options");
  }
  if (csv) {
    print_csv();
    return 0;
  }
#if STAGECRAFT_WITH_CUDA
  if (on_gpu) {
    run_on_gpu();
    return 0;
  }
#else
  if (on_gpu) throw BadInput("--on-gpu: this build has no CUDA", "build where nvcc is installed");
#endif
  print_counts();
  print_indirection();
#if STAGECRAFT_WITH_CUDA
  if (cuda::gpu_answers()) {
    print_speeds();
    return 0;
  }
#endif
  fmt::print("\nno times: no GPU answers here\n");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    fmt::print(stderr, "bench_kernels: error: {}\n", error.what());
    if (!error.hint().empty()) fmt::print(stderr, "hint: {}\n", error.hint());
    return dynamic_cast<const BadInput*>(&error) ? 2 : 1;
  }
}
