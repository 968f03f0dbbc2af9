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

Counts count(Device& device, const Kernels& kernels, const Work& work) {
  simt::clear_profile();
  work.run(kernels, device.stream());
  device.synchronize();
  Counts sum;
  for (const simt::KernelProfile& kernel : simt::profile()) {
    sum.loads += kernel[MemoryOperation::global_load];
    sum.stores += kernel[MemoryOperation::global_store];
    sum.shared += kernel[MemoryOperation::shared_load];
    sum.shared += kernel[MemoryOperation::shared_store];
    sum.shuffles += kernel.shuffles;
    sum.barriers += kernel.barriers;
  }
  return sum;
}

/// One line, as a table or separated by commas.
void print_line(const std::string& first, const std::vector<std::string>& others, bool csv) {
  fmt::print("{}", csv ? first : fmt::format("  {:<28}", first));
  for (const std::string& other : others) fmt::print("{}", csv ? "," + other : fmt::format("{:>11}", other));
  fmt::print("\n");
}

void print_count(const char* version, const Counts& c, bool csv) {
  std::vector<std::string> columns;
  for (const uint64_t count : {c.loads.requests, c.loads.moved, c.loads.ideal, c.stores.moved, c.shared.moved,
                               c.shared.ideal, c.shuffles, c.barriers}) {
    columns.push_back(std::to_string(count));
  }
  print_line(version, columns, csv);
}

/// The shapes of tales-5m: small enough for the simulator, and of every kind.
void print_counts(bool csv) {
  SimDevice device(SimMode::checked, 1);
  const KernelSet& set = sim_checked::kernel_set();
  const auto print_ladder = [&](const Work& work, const std::vector<LadderStep>& ladder) {
    fmt::print("{}{}: {:.0f} bytes must move\n", csv ? "# " : "\n", work.name, work.least_bytes);
    print_line("version", {"requests", "sectors", "ideal", "stored", "wavefronts", "ideal", "shuffles", "barriers"},
               csv);
    for (const LadderStep& step : ladder) print_count(step.version, count(device, step.kernels, work), csv);
  };
  for (const int rows : {1, 8}) print_ladder(linear_work(device, rows, 256, 704), linear_ladder(set));
  const AttentionShape shape{8, 4, 32, kNoWindow, 0.176776695f};
  for (const int rows : {1, 16}) print_ladder(attention_work(device, set, shape, rows, 256), attention_ladder(set));
}

#if STAGECRAFT_WITH_CUDA
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
  print_ladder(attention_work(device, set, shape, 512, 512), attention_ladder(set));
}
#endif

int run(int argc, const char* const* argv) {
  CLI::App app("Counts, and on a GPU times, every version of linear and attention.", "bench_kernels");
  bool csv = false;
  app.add_flag("--csv", csv, "counts only, for other programs to read");
  app.footer(kFooter);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    throw BadInput(error.what(), "bench_kernels --help lists the options");
  }
  print_counts(csv);
  if (csv) return 0;
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
