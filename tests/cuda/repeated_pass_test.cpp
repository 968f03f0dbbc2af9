/// @file
/// Device::repeat: a device may replay a recorded pass whenever its key comes again. So passes with equal keys must ask for
/// equal operations on equal arguments; this is checked here call by call, without a GPU.
#include <map>

#include <fmt/format.h>

#include "kernels/cpu/cpu_device.h"
#include "kernels/cpu/plain_kernels.h"
#include "tests/catch.h"
#include "tests/cuda/decoded_model.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

std::string text(const void* pointer) { return fmt::format("{} ", pointer); }
template <class Number>
std::enable_if_t<std::is_arithmetic_v<Number>, std::string> text(Number number) {
  return fmt::format("{} ", number);
}
std::string text(WeightView weight) { return text(weight.data) + text(int(weight.type)); }
std::string text(ContiguousAddress address) { return text(address.first_slot); }
std::string text(PagedAddress address) {
  return text(address.block_table) + text(address.table_stride) + text(address.block_shift);
}
std::string text(const KvView& kv) {
  const std::string address = std::visit([](const auto& its) { return text(its); }, kv.address);
  return text(kv.keys) + text(kv.values) + text(int(kv.type)) + address;
}
std::string text(const RaggedRows& who) {
  return text(who.query_start) + text(who.sequence) + text(who.positions) + text(who.sequences) + text(who.rows) +
         text(who.longest_kv);
}
std::string text(const AttentionShape& shape) { return text(shape.window) + text(shape.scale); }
std::string text(Stream) { return ""; }

/// What was asked for since the pass began. The table holds plain functions, so they share one log.
std::string& log() {
  static std::string calls;
  return calls;
}

/// The function in the table's place `kMember`, and a line in the log.
template <auto kMember, class Function>
struct Logged;
template <auto kMember, class Result, class... Arguments>
struct Logged<kMember, Result (*)(Arguments...)> {
  static Result call(Arguments... arguments) {
    ((log() += text(arguments)), ...);
    log() += "\n";
    return (cpu::plain_kernels().*kMember)(arguments...);
  }
};

template <auto kMember>
void log_calls(Kernels& table) {
  table.*kMember = Logged<kMember, std::decay_t<decltype(table.*kMember)>>::call;
}

/// A cpu that remembers what each key asked for, and compares.
class ComparingDevice final : public Device {
 public:
  ComparingDevice() : Device(cpu::plain_kernels()), cpu_(1, cpu::kPlainTarget) {
    log_calls<&Kernels::embedding>(kernels());
    log_calls<&Kernels::rms_norm>(kernels());
    log_calls<&Kernels::linear>(kernels());
    log_calls<&Kernels::rope>(kernels());
    log_calls<&Kernels::kv_write>(kernels());
    log_calls<&Kernels::attention>(kernels());
    log_calls<&Kernels::swiglu>(kernels());
    log_calls<&Kernels::add>(kernels());
    log_calls<&Kernels::gather_rows>(kernels());
  }

  std::string_view name() const override { return "comparing"; }
  std::string description() const override { return "compares passes with equal keys"; }
  bool reads_host_memory() const override { return true; }
  void* allocate(size_t bytes) override {
    CHECK_FALSE(inside_);
    passes_.clear();
    return cpu_.allocate(bytes);
  }
  void release(void* memory) noexcept override { cpu_.release(memory); }
  int64_t free_memory() const override { return cpu_.free_memory(); }
  void copy_to_device(void* to, const void* from, size_t bytes) override {
    CHECK_FALSE(inside_);
    cpu_.copy_to_device(to, from, bytes);
  }
  void copy_to_host(void* to, const void* from, size_t bytes) override { cpu_.copy_to_host(to, from, bytes); }
  void synchronize() override {}
  Stream stream() override { return cpu_.stream(); }

  void repeat(const std::string& key, const std::function<void()>& queue_operations) override {
    log().clear();
    inside_ = true;
    queue_operations();
    inside_ = false;
    const auto [known, is_new] = passes_.emplace(key, log());
    if (is_new) return;
    ++repeated_;
    CAPTURE(key);
    CHECK(known->second == log());
  }
  int repeated() const { return repeated_; }

 private:
  cpu::CpuDevice cpu_;
  std::map<std::string, std::string> passes_;
  bool inside_ = false;
  int repeated_ = 0;
};

}  // namespace

TEST_CASE("passes with equal keys ask for equal operations on equal arguments, and allocate and copy nothing") {
  ComparingDevice device;
  cpu::CpuDevice plain(1, cpu::kPlainTarget);
  const std::vector<TokenId> prompt{1, 40, 300, 17, 222};
  const Decoded expected = decode(plain, "tales-400k", prompt, 130);
  for (const int32_t block_size : {0, 16, 256}) {
    CAPTURE(block_size);
    const int before = device.repeated();
    const Decoded repeated = decode(device, "tales-400k", prompt, 130, block_size);
    CHECK(repeated.logits == expected.logits);
    CHECK(device.repeated() - before > 120);  // all but the prompt and the first step of each tile of keys
  }
}
