#include "stages/bench/limit_benchmarks.h"

#include <algorithm>
#include <cstring>

#include "kernels/check.h"
#include "kernels/number_types.h"

namespace stagecraft::bench {
namespace {

constexpr int64_t kPiece = 64;  // bytes

/// A timing of the multiply-adds takes some milliseconds: long enough to start all threads, short enough to be free of
/// interruptions now and then.
constexpr int64_t kMultiplyAddSteps = 400'000;

/// The loops of the target that `device` runs.
cpu::LimitKernels limit_kernels(const cpu::CpuDevice& device) {
  for (const cpu::SimdTarget& target : cpu::simd_targets()) {
    if (target.name == device.target()) return target.limits;
  }
  throw Failure("this processor has no fused multiply-add that the limits could be measured with");
}

}  // namespace

ColdMemory::ColdMemory(int64_t bytes)
    : bytes_(bytes / kPiece * kPiece),
      data_(reinterpret_cast<std::byte*>(memory_.floats(size_t(bytes_) / sizeof(float)))) {
  uint32_t random = 1;
  for (int64_t at = 0; at < bytes_; at += int64_t(sizeof(bf16))) {
    random = random * 1664525u + 1013904223u;  // Numerical Recipes' generator
    const bf16 number = round_to_bf16(float(int32_t(random) >> 8) * 0x1p-24f);
    std::memcpy(data_ + at, &number, sizeof number);
  }
}

const std::byte* ColdMemory::next(int64_t count) {
  check(count <= bytes_, "a benchmark's weights fit the memory that is kept for them");
  if (used_ + count > bytes_) used_ = 0;
  const std::byte* piece = data_ + used_;
  used_ += (count + kPiece - 1) / kPiece * kPiece;
  return piece;
}

void add_limits(std::vector<Benchmark>& all, const std::shared_ptr<cpu::CpuDevice>& device,
                const std::shared_ptr<ColdMemory>& memory) {
  const cpu::LimitKernels limits = limit_kernels(*device);
  const int threads = device->threads();
  auto* pool = static_cast<cpu::ThreadPool*>(device->stream().handle);
  const auto keep = std::make_shared<std::vector<float>>(size_t(threads));

  const int64_t share = memory->bytes() / threads;
  all.push_back({"limit", kReadLimit, std::string(device->target()), threads, double(share * threads), 0, 0, [=] {
                   (void)device;
                   pool->run(threads, [&](int64_t item, int) {
                     (*keep)[size_t(item)] = float(limits.read_memory(memory->data() + item * share, share));
                   });
                 }});
  const double flops = double(kMultiplyAddSteps * limits.flops_per_step) * threads;
  all.push_back(
      {"limit", kComputeLimit, std::string(device->target()), threads, 0, flops, 0, [=] {
         (void)device;
         pool->run(threads, [&](int64_t item, int) { (*keep)[size_t(item)] = limits.multiply_add(kMultiplyAddSteps); });
       }});
}

}  // namespace stagecraft::bench
