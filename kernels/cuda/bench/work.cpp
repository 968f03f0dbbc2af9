#include "kernels/cuda/bench/work.h"

#include <memory>
#include <numeric>

#include <fmt/format.h>

namespace stagecraft {
namespace {

constexpr double kFloatBytes = sizeof(float), kBf16Bytes = sizeof(bf16);

template <class T>
using Shared = std::shared_ptr<DeviceArray<T>>;

template <class T>
Shared<T> upload(Device& device, const std::vector<T>& host) {
  auto array = std::make_shared<DeviceArray<T>>(device, host.size());
  array->copy_from(host.data(), host.size());
  return array;
}

/// n numbers between -1 and 1 that repeat late.
Shared<float> floats(Device& device, int64_t n) {
  constexpr int64_t kPeriod = 8191;
  std::vector<float> host(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) host[size_t(i)] = float(i * 37 % kPeriod) * (2.0f / kPeriod) - 1.0f;
  return upload(device, host);
}

Shared<bf16> bf16s(Device& device, int64_t n) {
  constexpr int64_t kPeriod = 8191;
  std::vector<bf16> host(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) host[size_t(i)] = round_to_bf16(float(i * 41 % kPeriod) * (2.0f / kPeriod) - 1.0f);
  return upload(device, host);
}

/// from, from + 1, ...
template <class T>
Shared<T> counted(Device& device, T from, int n) {
  std::vector<T> host(static_cast<size_t>(n));
  std::iota(host.begin(), host.end(), from);
  return upload(device, host);
}

std::string rows_text(int rows) { return fmt::format("{} row{}", rows, rows == 1 ? "" : "s"); }

}  // namespace

Work linear_work(Device& device, int rows, int in, int out_width) {
  const auto x = floats(device, int64_t(rows) * in), out = floats(device, int64_t(rows) * out_width);
  const auto weight = bf16s(device, int64_t(in) * out_width);
  const double bytes = kBf16Bytes * in * out_width + kFloatBytes * rows * (in + out_width);
  return {fmt::format("linear {} -> {}, {}", in, out_width, rows_text(rows)), bytes,
          [=](const Kernels& op, Stream stream) {
            op.linear(x->data(), {weight->data(), NumberType::bf16}, {}, out->data(), rows, in, out_width, stream);
          }};
}

Work attention_work(Device& device, const KernelSet& set, const AttentionShape& shape, int rows, int context) {
  const int64_t width = int64_t(shape.heads) * shape.head_dim, kv_width = int64_t(shape.kv_heads) * shape.head_dim;
  const auto q = floats(device, rows * width), out = floats(device, rows * width);
  const auto keys = bf16s(device, context * kv_width), values = bf16s(device, context * kv_width);
  const auto scratch = floats(device, set.most_attention_scratch(shape, rows, context));
  const auto positions = counted<int32_t>(device, context - rows, rows);
  const auto sequence = upload(device, std::vector<int32_t>(size_t(rows), 0));
  const auto start = upload(device, std::vector<int32_t>{0, rows});
  const auto first_slot = upload(device, std::vector<int64_t>{0});
  const double bytes = 2 * kBf16Bytes * double(context * kv_width) + 2 * kFloatBytes * double(rows * width);
  return {fmt::format("attention over {}, {}/{} heads x {}, {}", context, shape.heads, shape.kv_heads, shape.head_dim,
                      rows_text(rows)),
          bytes, [=](const Kernels& op, Stream stream) {
            const RaggedRows who{start->data(), sequence->data(), positions->data(), 1, rows, context};
            op.attention(q->data(),
                         {keys->data(), values->data(), NumberType::bf16, ContiguousAddress{first_slot->data()}}, who,
                         out->data(), shape, scratch->data(), stream);
          }};
}

std::vector<Work> row_works(Device& device, const AttentionShape& shape, int rows, int hidden, int inner,
                            int vocabulary) {
  const int64_t n = int64_t(rows) * hidden, inner_n = int64_t(rows) * inner;
  const int64_t width = int64_t(shape.heads) * shape.head_dim, kv_width = int64_t(shape.kv_heads) * shape.head_dim;
  const auto x = floats(device, n), y = floats(device, n);
  const auto gate = floats(device, inner_n), up = floats(device, inner_n);
  const auto table = bf16s(device, int64_t(vocabulary) * hidden), weight = bf16s(device, hidden);
  const auto ids = counted<TokenId>(device, 0, rows);
  const auto positions = counted<int32_t>(device, 0, rows);
  const auto slots = counted<int64_t>(device, 0, rows);
  const auto q = floats(device, rows * width), kv = floats(device, rows * kv_width);
  const auto angles = floats(device, int64_t(rows) * shape.head_dim / 2);
  const auto cache = bf16s(device, 2 * rows * kv_width);
  const auto logits = floats(device, int64_t(rows) * vocabulary);
  const auto tokens = counted<TokenId>(device, 0, rows);
  const auto greedy = upload(device, std::vector<SamplingRow>(size_t(rows), {0.0f, kNoTopK, 1.0f, 1, 0}));
  const auto random = upload(device, std::vector<SamplingRow>(size_t(rows), {0.8f, 50, 0.9f, 1, 0}));
  const std::string text = rows_text(rows);

  std::vector<Work> works;
  const auto add = [&](const std::string& name, double bytes, std::function<void(const Kernels&, Stream)> run) {
    works.push_back({name + ", " + text, bytes, std::move(run)});
  };
  add(fmt::format("embedding {}", hidden), (kBf16Bytes + kFloatBytes) * double(n), [=](const Kernels& op, Stream s) {
    op.embedding({table->data(), NumberType::bf16}, ids->data(), x->data(), rows, hidden, s);
  });
  add(fmt::format("rms_norm {}", hidden), 2 * kFloatBytes * double(n), [=](const Kernels& op, Stream s) {
    op.rms_norm(x->data(), {weight->data(), NumberType::bf16}, y->data(), rows, hidden, 1e-5f, s);
  });
  add(fmt::format("rope {} x {}", shape.heads, shape.head_dim), 2 * kFloatBytes * double(rows * width),
      [=](const Kernels& op, Stream s) {
        op.rope(q->data(), positions->data(), angles->data(), angles->data(), rows, shape.heads, shape.head_dim, s);
      });
  add(fmt::format("kv_write {} x {}", shape.kv_heads, shape.head_dim),
      2 * (kFloatBytes + kBf16Bytes) * double(rows * kv_width), [=](const Kernels& op, Stream s) {
        const KvView view{cache->data(), cache->data() + rows * kv_width, NumberType::bf16, {}};
        op.kv_write(kv->data(), kv->data(), slots->data(), view, rows, shape.kv_heads, shape.head_dim, s);
      });
  add(fmt::format("swiglu {}", inner), 3 * kFloatBytes * double(inner_n),
      [=](const Kernels& op, Stream s) { op.swiglu(gate->data(), up->data(), inner_n, s); });
  add(fmt::format("add {}", hidden), 3 * kFloatBytes * double(n),
      [=](const Kernels& op, Stream s) { op.add(x->data(), y->data(), n, s); });
  for (const auto& [name, how] : {std::pair{"greedy", greedy}, std::pair{"top-k 50, top-p 0.9", random}}) {
    add(fmt::format("sample of {}, {}", vocabulary, name), kFloatBytes * rows * double(vocabulary),
        [=, settings = how](const Kernels& op, Stream s) {
          op.sample(logits->data(), settings->data(), tokens->data(), rows, vocabulary, s);
        });
  }
  return works;
}

std::vector<LadderStep> linear_ladder(const KernelSet& set) {
  std::vector<LadderStep> steps;
  for (const auto& version : set.linear) {
    steps.push_back({version.name, set.best});
    steps.back().kernels.linear = version.run;
  }
  return steps;
}

std::vector<LadderStep> attention_ladder(const KernelSet& set) {
  std::vector<LadderStep> steps;
  for (const auto& version : set.attention) {
    steps.push_back({version.name, set.best});
    steps.back().kernels.attention = version.run;
  }
  return steps;
}

}  // namespace stagecraft
