#include "stages/bench/operation_benchmarks.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <fmt/format.h>

namespace stagecraft::bench {
namespace {

using cpu::CpuDevice;

constexpr int kPrefillRows = 512;
constexpr int kDecodeContext = 1024;
constexpr int kBlockSize = 16;

/// Builds the benchmarks of one device; what they work on lives as long as they do.
class Operations {
 public:
  Operations(std::vector<Benchmark>& all, std::shared_ptr<CpuDevice> device, std::shared_ptr<ColdMemory> memory,
             const ModelConfig& config)
      : all_(all), device_(std::move(device)), memory_(std::move(memory)), config_(config) {}

  void linear(int rows, int64_t in, int64_t out_width) {
    const auto x = numbers(rows * in), out = numbers(rows * out_width);
    const int64_t weight_bytes = in * out_width * bytes_of(NumberType::bf16);
    const double activations = double(rows * (in + out_width)) * sizeof(float);
    add(fmt::format("linear {} -> {}, {}", in, out_width, rows_text(rows)), double(weight_bytes) + activations,
        2.0 * double(in * out_width) * rows, [=, this_memory = memory_](const Kernels& op, Stream stream) {
          op.linear(x->data(), {this_memory->next(weight_bytes), NumberType::bf16}, {}, out->data(), rows, int(in),
                    int(out_width), stream);
        });
  }

  /// `block_size` 0: one run of slots; else blocks in random order.
  void attention(int rows, int context, int block_size = 0) {
    const AttentionShape shape{config_.heads, config_.kv_heads, config_.head_dim, config_.window,
                               1.0f / std::sqrt(float(config_.head_dim))};
    const int64_t width = int64_t(shape.heads) * shape.head_dim, kv_width = int64_t(shape.kv_heads) * shape.head_dim;
    const auto q = numbers(rows * width), out = numbers(rows * width);
    const auto scratch = numbers(device_->kernels().attention_scratch(shape, rows, context));
    const auto positions = std::make_shared<std::vector<int32_t>>(size_t(rows));
    std::iota(positions->begin(), positions->end(), context - rows);
    const auto sequence = std::make_shared<std::vector<int32_t>>(size_t(rows), 0);
    const auto start = std::make_shared<std::vector<int32_t>>(std::vector<int32_t>{0, rows});
    const auto first_slot = std::make_shared<std::vector<int64_t>>(1, 0);
    const auto table = std::make_shared<std::vector<int32_t>>(size_t(block_size == 0 ? 0 : context / block_size));
    std::iota(table->begin(), table->end(), 0);
    std::shuffle(table->begin(), table->end(), random_);
    double visible = 0;
    for (const int32_t position : *positions) visible += position + 1;
    const int64_t kv_bytes = context * kv_width * bytes_of(NumberType::bf16);
    const std::string where = block_size == 0 ? "" : fmt::format(", blocks of {}", block_size);
    add(fmt::format("attention over {}, {}{}", context, rows_text(rows), where), 2.0 * double(kv_bytes),
        4.0 * visible * double(width), [=, this_memory = memory_](const Kernels& op, Stream stream) {
          // Attention only reads the cache; its view is the one that kv_write writes through.
          auto* keys = const_cast<std::byte*>(this_memory->next(kv_bytes));
          auto* values = const_cast<std::byte*>(this_memory->next(kv_bytes));
          KvAddress address = ContiguousAddress{first_slot->data()};
          if (block_size != 0) address = PagedAddress{table->data(), int(table->size()), block_shift_of(block_size)};
          op.attention(q->data(), {keys, values, NumberType::bf16, address},
                       {start->data(), sequence->data(), positions->data(), 1, rows, context}, out->data(), shape,
                       scratch->data(), stream);
        });
  }

  void rms_norm(int rows) {
    const int64_t width = config_.hidden_size;
    const auto x = numbers(rows * width), out = numbers(rows * width), weight = numbers(width);
    add(fmt::format("rms_norm {}, {}", width, rows_text(rows)), moved(2 * rows * width), 4.0 * double(rows * width),
        [=](const Kernels& op, Stream stream) {
          op.rms_norm(x->data(), {weight->data(), NumberType::fp32}, out->data(), rows, int(width), 1e-5f, stream);
        });
  }

  void swiglu_and_add(int rows) {
    const int64_t inner = rows * config_.intermediate_size, hidden = rows * config_.hidden_size;
    const auto gate = numbers(inner), up = numbers(inner), x = numbers(hidden), y = numbers(hidden);
    add(fmt::format("swiglu {}, {}", config_.intermediate_size, rows_text(rows)), moved(3 * inner), 0,
        [=](const Kernels& op, Stream stream) { op.swiglu(gate->data(), up->data(), inner, stream); });
    add(fmt::format("add {}, {}", config_.hidden_size, rows_text(rows)), moved(3 * hidden), double(hidden),
        [=](const Kernels& op, Stream stream) { op.add(x->data(), y->data(), hidden, stream); });
  }

  void rope_and_kv_write(int rows) {
    const int dim = config_.head_dim, heads = config_.heads, kv_heads = config_.kv_heads;
    const int64_t width = int64_t(heads) * dim, kv_width = int64_t(kv_heads) * dim;
    const auto x = numbers(rows * width), angles = numbers(int64_t(rows) * dim / 2);
    const auto positions = std::make_shared<std::vector<int32_t>>(size_t(rows));
    std::iota(positions->begin(), positions->end(), 0);
    add(fmt::format("rope {} x {}, {}", heads, dim, rows_text(rows)), moved(2 * rows * width),
        3.0 * double(rows * width), [=](const Kernels& op, Stream stream) {
          op.rope(x->data(), positions->data(), angles->data(), angles->data(), rows, heads, dim, stream);
        });
    const auto keys = numbers(rows * kv_width), cache = numbers(rows * kv_width);
    const auto slots = std::make_shared<std::vector<int64_t>>(size_t(rows));
    std::iota(slots->begin(), slots->end(), 0);
    add(fmt::format("kv_write {} x {}, {}", kv_heads, dim, rows_text(rows)), moved(3 * rows * kv_width), 0,
        [=](const Kernels& op, Stream stream) {
          auto* values = reinterpret_cast<bf16*>(cache->data()) + rows * kv_width;
          op.kv_write(keys->data(), keys->data(), slots->data(), {cache->data(), values, NumberType::bf16, {}}, rows,
                      kv_heads, dim, stream);
        });
  }

  void sample(float temperature, float top_p) {
    const int64_t vocabulary = config_.vocabulary;
    const auto drawn_from = logits(vocabulary);
    const auto token = std::make_shared<TokenId>();
    const auto how = std::make_shared<SamplingRow>(SamplingRow{temperature, kNoTopK, top_p, 1, 0});
    add(fmt::format("sample at temperature {:.1f}, top-p {:.1f}", temperature, top_p), moved(vocabulary), 0,
        [=](const Kernels& op, Stream stream) {
          ++how->position;
          op.sample(drawn_from->data(), how.get(), token.get(), 1, int(vocabulary), stream);
        });
  }

 private:
  using Numbers = std::shared_ptr<DeviceArray<float>>;

  static std::string rows_text(int rows) { return fmt::format("{} row{}", rows, rows == 1 ? "" : "s"); }
  static double moved(int64_t floats) { return double(floats) * sizeof(float); }

  Numbers on_device(const std::vector<float>& host) {
    // The deleter holds the device: memory must go before it does.
    Numbers array(new DeviceArray<float>(*device_, host.size()), [device = device_](auto* gone) { delete gone; });
    array->copy_from(host.data(), host.size());
    return array;
  }

  /// Random numbers of magnitude up to `largest`, aligned as a model's activations are.
  Numbers numbers(int64_t n, float largest = 1.0f) {
    std::vector<float> all(static_cast<size_t>(n));
    std::uniform_real_distribution<float> distribution(-largest, largest);
    for (float& x : all) x = distribution(random_);
    return on_device(all);
  }

  /// What a language model's logits look like: normal, with a few tokens far above the rest.
  Numbers logits(int64_t n) {
    std::vector<float> all(static_cast<size_t>(n));
    std::normal_distribution<float> distribution(0.0f, 3.0f);
    for (float& x : all) x = distribution(random_);
    for (int i = 0; i < 10; ++i) all[size_t(i * n / 10)] = 15.0f + float(i) / 2;
    return on_device(all);
  }

  template <class Call>
  void add(std::string name, double bytes, double flops, const Call& call) {
    all_.push_back({"operation", std::move(name), std::string(device_->target()), device_->threads(), bytes, flops, 0,
                    [call, device = device_] { call(device->kernels(), device->stream()); }});
  }

  std::vector<Benchmark>& all_;
  std::shared_ptr<CpuDevice> device_;
  std::shared_ptr<ColdMemory> memory_;
  const ModelConfig& config_;
  std::mt19937 random_{1};
};

}  // namespace

void add_operations(std::vector<Benchmark>& all, const std::shared_ptr<CpuDevice>& device,
                    const std::shared_ptr<ColdMemory>& memory, const ModelConfig& config) {
  Operations operations(all, device, memory, config);
  const int64_t hidden = config.hidden_size, inner = config.intermediate_size;
  const int64_t q_width = int64_t(config.heads) * config.head_dim,
                kv_width = int64_t(config.kv_heads) * config.head_dim;
  operations.linear(1, hidden, q_width);
  operations.linear(1, hidden, kv_width);
  operations.linear(1, hidden, inner);
  operations.linear(1, inner, hidden);
  operations.linear(1, hidden, config.vocabulary);
  for (const int rows : {2, 4, 8, 16, 64}) operations.linear(rows, hidden, inner);
  operations.linear(kPrefillRows, hidden, q_width);
  operations.linear(kPrefillRows, hidden, inner);
  operations.linear(kPrefillRows, inner, hidden);
  operations.attention(1, kDecodeContext);
  operations.attention(1, kDecodeContext, kBlockSize);
  operations.attention(kPrefillRows, kPrefillRows);
  for (const int rows : {1, kPrefillRows}) {
    operations.rms_norm(rows);
    operations.swiglu_and_add(rows);
    operations.rope_and_kv_write(rows);
  }
  operations.sample(0.0f, 1.0f);
  operations.sample(0.8f, 1.0f);
  operations.sample(0.8f, 0.9f);
}

void add_plain_operations(std::vector<Benchmark>& all, const std::shared_ptr<ColdMemory>& memory,
                          const ModelConfig& config) {
  Operations operations(all, std::make_shared<CpuDevice>(1, cpu::kPlainTarget), memory, config);
  operations.linear(1, config.hidden_size, config.intermediate_size);
  operations.linear(16, config.hidden_size, config.intermediate_size);
  operations.attention(1, kDecodeContext);
  operations.rms_norm(kPrefillRows);
}

}  // namespace stagecraft::bench
