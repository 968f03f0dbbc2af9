#include "kernels/cuda/bench/work.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <utility>

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

/// The blocks of one sequence, in an order that no prefetcher guesses.
std::vector<int32_t> shuffled_blocks(int blocks) {
  std::vector<int32_t> ids(static_cast<size_t>(blocks));
  std::iota(ids.begin(), ids.end(), 0);
  std::shuffle(ids.begin(), ids.end(), std::mt19937(1));
  return ids;
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

Work attention_work(Device& device, const KernelSet& set, const AttentionShape& shape, int rows, int context,
                    int block_size) {
  const int64_t width = int64_t(shape.heads) * shape.head_dim, kv_width = int64_t(shape.kv_heads) * shape.head_dim;
  const auto q = floats(device, rows * width), out = floats(device, rows * width);
  const int blocks = block_size == kContiguous ? 1 : (context + block_size - 1) / block_size;
  const int64_t slots = block_size == kContiguous ? context : int64_t(blocks) * block_size;
  const auto keys = bf16s(device, slots * kv_width), values = bf16s(device, slots * kv_width);
  const auto scratch = floats(device, set.most_attention_scratch(shape, rows, context));
  const auto positions = counted<int32_t>(device, context - rows, rows);
  const auto sequence = upload(device, std::vector<int32_t>(size_t(rows), 0));
  const auto start = upload(device, std::vector<int32_t>{0, rows});
  const auto first_slot = upload(device, std::vector<int64_t>{0});
  const auto table = upload(device, shuffled_blocks(blocks));
  KvAddress address = ContiguousAddress{first_slot->data()};
  if (block_size != kContiguous) address = PagedAddress{table->data(), blocks, block_shift_of(block_size)};
  const double bytes = 2 * kBf16Bytes * double(context * kv_width) + 2 * kFloatBytes * double(rows * width);
  const std::string where = block_size == kContiguous ? "" : fmt::format(", blocks of {}", block_size);
  // The work keeps what `address` points to.
  return {fmt::format("attention over {}, {}/{} heads x {}, {}{}", context, shape.heads, shape.kv_heads, shape.head_dim,
                      rows_text(rows), where),
          bytes, [=, kept = std::pair(first_slot, table)](const Kernels& op, Stream stream) {
            const RaggedRows who{start->data(), sequence->data(), positions->data(), 1, rows, context};
            op.attention(q->data(), {keys->data(), values->data(), NumberType::bf16, address}, who, out->data(), shape,
                         scratch->data(), stream);
          }};
}

Work copy_blocks_work(Device& device, const AttentionShape& shape, int copies, int block_size) {
  const int64_t block_elements = int64_t(shape.kv_heads) * shape.head_dim * block_size;
  const auto plane = bf16s(device, 2 * copies * block_elements);
  const std::vector<int32_t> ids = shuffled_blocks(2 * copies);
  std::vector<BlockCopy> pairs;
  for (size_t i = 0; i < size_t(copies); ++i) pairs.push_back({ids[i], ids[i + size_t(copies)]});
  const auto on_device = upload(device, pairs);
  const double bytes = 2 * kBf16Bytes * double(copies * block_elements);
  return {fmt::format("copy_blocks, {} of {} x {} x {}", copies, block_size, shape.kv_heads, shape.head_dim), bytes,
          [=](const Kernels& op, Stream stream) {
            op.copy_blocks(plane->data(), on_device->data(), copies, block_elements * int64_t(sizeof(bf16)), stream);
          }};
}

Work verify_work(Device& device, int requests, int drafted) {
  const int rows = requests * (drafted + 1);
  std::vector<int32_t> starts;
  for (int i = 0; i <= requests; ++i) starts.push_back(i * (drafted + 1));
  // All of every draft is right: each row has to be looked at.
  const auto drawn = counted<TokenId>(device, 0, rows), draft = counted<TokenId>(device, 0, rows);
  const auto row_start = upload(device, starts), accepted = upload(device, std::vector<int32_t>(size_t(requests)));
  const double bytes = double(sizeof(TokenId)) * (2 * requests * drafted + 2 * requests + 1);
  return {fmt::format("verify, {} requests, {} drafted", requests, drafted), bytes,
          [=](const Kernels& op, Stream stream) {
            op.verify(drawn->data(), draft->data(), row_start->data(), accepted->data(), requests, stream);
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
