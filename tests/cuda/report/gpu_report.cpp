/// @file
/// gpu_report: what this machine's GPU makes of the kernels. First whether the bits are those of the plain contract and of
/// the simulator, then how fast each kernel is against a copy of memory. scripts/gpu_report runs it and keeps the text.
///
/// exit: 0 all bits equal, 1 a difference or a failure, 2 there is no GPU to report on.
#include <fmt/format.h>

#include "kernels/check.h"
#include "kernels/cpu/cpu_device.h"
#include "kernels/cuda/bench/work.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/gpu_timer.h"
#include "kernels/sim_device.h"
#include "tests/cuda/decoded_model.h"
#include "tests/kernels/kernel_cases.h"

namespace {

using namespace stagecraft;
using namespace stagecraft::testing;

/// Compares results case by case and remembers how it went.
class BitReport {
 public:
  explicit BitReport(std::string title) : title_(std::move(title)) {}
  ~BitReport() {
    fmt::print("  {:<58}{:>6} cases  {}\n", title_, cases_, first_.empty() ? "equal" : "DIFFER: " + first_);
  }

  void add(const std::string& name, const std::string& difference) {
    ++cases_;
    if (first_.empty() && !difference.empty()) first_ = name + ": " + difference;
  }
  bool equal() const { return first_.empty(); }

 private:
  std::string title_, first_;
  int cases_ = 0;
};

bool report_operations(cuda::CudaDevice& gpu) {
  cpu::CpuDevice plain(1, cpu::kPlainTarget);
  SimDevice sim(SimMode::fast, 0);
  BitReport with_plain("every operation, with the plain contract"), alone("every row alone, with the row among others"),
      with_sim("every operation, with the simulator");
  for_all_cases(CaseSize::full, [&](const std::string& name, const auto& input) {
    with_plain.add(name, difference_to(plain, gpu, input));
    alone.add(name, row_difference(gpu, input));
  });
  for_all_cases(CaseSize::small, [&](const std::string& name, const auto& input) {
    with_sim.add(name, difference_to(sim, gpu, input));
  });
  return with_plain.equal() && alone.equal() && with_sim.equal();
}

bool report_ladders(cuda::CudaDevice& gpu) {
  cpu::CpuDevice plain(1, cpu::kPlainTarget);
  const KernelSet& set = cuda::kernel_set();
  bool equal = true;
  gpu.kernels().attention_scratch = set.most_attention_scratch;
  for (const auto& version : set.linear) {
    BitReport report(version.name);
    gpu.kernels().linear = version.run;
    for_linear_cases(CaseSize::full, [&](const std::string& name, const auto& input) {
      report.add(name, difference_to(plain, gpu, input));
    });
    equal = equal && report.equal();
  }
  for (const auto& version : set.attention) {
    BitReport report(version.name);
    gpu.kernels().attention = version.run;
    for_attention_cases(CaseSize::full, [&](const std::string& name, const auto& input) {
      report.add(name, difference_to(plain, gpu, input));
    });
    equal = equal && report.equal();
  }
  gpu.kernels() = set.best;
  return equal;
}

/// Replays a recorded graph often enough that it is seen, recorded and replayed.
bool report_graphs(cuda::CudaDevice& gpu) {
  const std::vector<float> ones(1000, 1.0f);
  const auto x = on_device(gpu, ones), y = on_device(gpu, ones);
  constexpr int kTimes = 5;
  for (int i = 0; i < kTimes; ++i)
    gpu.repeat("add", [&] { gpu.kernels().add(x.data(), y.data(), 1000, gpu.stream()); });
  BitReport report("an operation seen, recorded and replayed as a graph");
  report.add("add", first_difference(std::vector<float>(1000, 1.0f + kTimes), on_host(x, 1000)));
  return report.equal();
}

bool report_model(cuda::CudaDevice& gpu, double copy_bandwidth) {
  const std::vector<TokenId> prompt{1, 40, 300, 17, 222, 9, 101};
  constexpr int kTokens = 150;
  cpu::CpuDevice cpu;
  const Decoded expected = decode(cpu, "tales-5m", prompt, kTokens), actual = decode(gpu, "tales-5m", prompt, kTokens);
  const double tokens_a_second = 1 / actual.seconds_a_token, speed = actual.bytes_a_token * tokens_a_second;
  {
    BitReport report("tales-5m: all logits of 150 greedy tokens, with the cpu");
    report.add("logits", first_difference(expected.logits, actual.logits));
    report.add("in blocks", first_difference(expected.logits, decode(gpu, "tales-5m", prompt, kTokens, 16).logits));
    if (!report.equal()) return false;
  }
  fmt::print("\nend to end\n  tales-5m, batch 1: {:.0f} tokens/s, {:.1f} GB/s of weights, {:.2f} % of a copy\n",
             tokens_a_second, speed / 1e9, 100 * speed / copy_bandwidth);
  return true;
}

/// The shapes of an 8-billion-parameter Llama: weights far larger than the caches.
void report_speeds(cuda::CudaDevice& gpu, double copy) {
  constexpr int kHidden = 4096, kInner = 14336, kVocabulary = 128256;
  const AttentionShape shape{32, 8, 128, kNoWindow, 0.0883883476f};
  const KernelSet& set = cuda::kernel_set();
  const auto print = [&](const std::string& name, const Kernels& kernels, const Work& work) {
    const double seconds = cuda::seconds_per_run(gpu, [&] { work.run(kernels, gpu.stream()); });
    fmt::print("  {:<58}{:>11.1f} us{:>9.1f} GB/s{:>8.1f} %\n", name, seconds * 1e6, work.least_bytes / seconds / 1e9,
               100 * work.least_bytes / seconds / copy);
  };
  fmt::print("\nspeed: time, bytes that must move a second, share of a copy's {:.0f} GB/s\n", copy / 1e9);
  for (const int rows : {1, 4, 16, 256}) {
    const Work work = linear_work(gpu, rows, kHidden, kInner);
    print(work.name, set.best, work);
  }
  for (const auto& [rows, context] : {std::pair{1, 1024}, {1, 8192}, {512, 512}}) {
    for (const int block_size : {kContiguous, 16}) {
      const Work work = attention_work(gpu, set, shape, rows, context, block_size);
      print(work.name, set.best, work);
    }
  }
  for (const Work& work : {copy_blocks_work(gpu, shape, 64, 16), verify_work(gpu, 256, 8)}) {
    print(work.name, set.best, work);
  }
  for (const int rows : {1, 512}) {
    for (const Work& work : row_works(gpu, shape, rows, kHidden, kInner, kVocabulary)) print(work.name, set.best, work);
  }
  const Work linear = linear_work(gpu, 1, kHidden, kInner), attention = attention_work(gpu, set, shape, 1, 8192);
  fmt::print("\nladders: {}; {}\n", linear.name, attention.name);
  for (const LadderStep& step : linear_ladder(set)) print(step.version, step.kernels, linear);
  for (const LadderStep& step : attention_ladder(set)) print(step.version, step.kernels, attention);
}

int run() {
  cuda::CudaDevice gpu;
  fmt::print("{}\n{}\n\nbits\n", gpu.description(), cuda::driver_and_runtime());
  const double copy = cuda::copy_bandwidth(gpu);
  bool equal = report_operations(gpu);
  equal = report_ladders(gpu) && equal;
  equal = report_graphs(gpu) && equal;
  equal = report_model(gpu, copy) && equal;
  report_speeds(gpu, copy);
  fmt::print("\n{}\n", equal ? "all bits are equal" : "BITS DIFFER, see above");
  return equal ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const Error& error) {
    fmt::print(stderr, "gpu_report: error: {}\n", error.what());
    if (!error.hint().empty()) fmt::print(stderr, "hint: {}\n", error.hint());
    return dynamic_cast<const BadInput*>(&error) ? 2 : 1;
  }
}
