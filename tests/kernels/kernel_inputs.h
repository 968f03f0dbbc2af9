#pragma once
/// @file
/// One struct of inputs for each operation of kernels.h. Each knows how to run on a device and how to pick one of its
/// rows, so that every test is the same for all operations:
///
///     Input::rows()           how many rows the operation works on at once
///     Input::row(r)           the same operation for row r alone
///     run(device, input)      the result, row after row
#include <algorithm>
#include <optional>
#include <vector>

#include "tests/kernels/random_data.h"

namespace stagecraft::testing {

/// Rows [r, r + 1) of a (rows, width) matrix.
template <class T>
std::vector<T> row_of(const std::vector<T>& matrix, int r, int64_t width) {
  return {matrix.begin() + r * width, matrix.begin() + (r + 1) * width};
}

struct LinearInput {
  int count, in, out_width;
  StoredNumbers weight, bias;  // no bias: no bytes
  std::vector<float> x;

  int rows() const { return count; }
  LinearInput row(int r) const { return {1, in, out_width, weight, bias, row_of(x, r, in)}; }
};

inline std::vector<float> run(Device& device, const LinearInput& input) {
  const auto x = on_device(device, input.x);
  const auto weight = on_device(device, input.weight), bias = on_device(device, input.bias);
  const auto out = poisoned(device, int64_t(input.count) * input.out_width);
  const void* bias_data = input.bias.bytes.empty() ? nullptr : bias.data();
  device.kernels().linear(x.data(), {weight.data(), input.weight.type}, {bias_data, input.bias.type}, out.data(),
                          input.count, input.in, input.out_width, device.stream());
  device.synchronize();
  return on_host(out, int64_t(input.count) * input.out_width);
}

struct RmsNormInput {
  int count, width;
  StoredNumbers weight;
  std::vector<float> x;
  bool in_place;

  int rows() const { return count; }
  RmsNormInput row(int r) const { return {1, width, weight, row_of(x, r, width), in_place}; }
};

inline std::vector<float> run(Device& device, const RmsNormInput& input) {
  const auto x = on_device(device, input.x);
  const auto weight = on_device(device, input.weight);
  const auto out = poisoned(device, int64_t(input.count) * input.width);
  const auto& result = input.in_place ? x : out;
  device.kernels().rms_norm(x.data(), {weight.data(), input.weight.type}, result.data(), input.count, input.width,
                            1e-5f, device.stream());
  device.synchronize();
  return on_host(result, int64_t(input.count) * input.width);
}

struct EmbeddingInput {
  int width;
  StoredNumbers table;
  std::vector<TokenId> ids;

  int rows() const { return int(ids.size()); }
  EmbeddingInput row(int r) const { return {width, table, row_of(ids, r, 1)}; }
};

inline std::vector<float> run(Device& device, const EmbeddingInput& input) {
  const auto table = on_device(device, input.table);
  const auto ids = on_device(device, input.ids);
  const auto out = poisoned(device, int64_t(input.rows()) * input.width);
  device.kernels().embedding({table.data(), input.table.type}, ids.data(), out.data(), input.rows(), input.width,
                             device.stream());
  device.synchronize();
  return on_host(out, int64_t(input.rows()) * input.width);
}

struct RopeInput {
  int heads, head_dim;
  std::vector<float> cosines, sines;  // (positions, head_dim / 2)
  std::vector<int32_t> positions;
  std::vector<float> x;

  int rows() const { return int(positions.size()); }
  RopeInput row(int r) const {
    return {heads, head_dim, cosines, sines, row_of(positions, r, 1), row_of(x, r, int64_t(heads) * head_dim)};
  }
};

inline std::vector<float> run(Device& device, const RopeInput& input) {
  const auto x = on_device(device, input.x), cosines = on_device(device, input.cosines),
             sines = on_device(device, input.sines);
  const auto positions = on_device(device, input.positions);
  device.kernels().rope(x.data(), positions.data(), cosines.data(), sines.data(), input.rows(), input.heads,
                        input.head_dim, device.stream());
  device.synchronize();
  return on_host(x, int64_t(input.x.size()));
}

/// swiglu if `second` gates, else add: both work on (rows, width) elements without knowing rows.
struct PairwiseInput {
  enum class Operation { swiglu, add } operation;
  int count, width;
  std::vector<float> first, second;

  int rows() const { return count; }
  PairwiseInput row(int r) const { return {operation, 1, width, row_of(first, r, width), row_of(second, r, width)}; }
};

inline std::vector<float> run(Device& device, const PairwiseInput& input) {
  const auto first = on_device(device, input.first), second = on_device(device, input.second);
  const int64_t n = int64_t(input.count) * input.width;
  if (input.operation == PairwiseInput::Operation::swiglu) {
    device.kernels().swiglu(first.data(), second.data(), n, device.stream());
  } else {
    device.kernels().add(first.data(), second.data(), n, device.stream());
  }
  device.synchronize();
  return on_host(first, n);
}

struct GatherInput {
  int width;
  std::vector<float> x;
  std::vector<int32_t> wanted;

  int rows() const { return int(wanted.size()); }
  GatherInput row(int r) const { return {width, x, row_of(wanted, r, 1)}; }
};

inline std::vector<float> run(Device& device, const GatherInput& input) {
  const auto x = on_device(device, input.x);
  const auto wanted = on_device(device, input.wanted);
  const auto out = poisoned(device, int64_t(input.rows()) * input.width);
  device.kernels().gather_rows(x.data(), wanted.data(), out.data(), input.rows(), input.width, device.stream());
  device.synchronize();
  return on_host(out, int64_t(input.rows()) * input.width);
}

struct KvWriteInput {
  NumberType type;
  int kv_heads, head_dim;
  std::vector<float> keys, values;
  std::vector<int64_t> slots;

  int64_t width() const { return int64_t(kv_heads) * head_dim; }
  int rows() const { return int(slots.size()); }
  KvWriteInput row(int r) const {
    return {type, kv_heads, head_dim, row_of(keys, r, width()), row_of(values, r, width()), row_of(slots, r, 1)};
  }
};

/// The bytes that stand in each row's slot afterwards, those of its key, then those of its value.
inline std::vector<std::byte> run(Device& device, const KvWriteInput& input) {
  const auto keys = on_device(device, input.keys), values = on_device(device, input.values);
  const auto slots = on_device(device, input.slots);
  const int64_t pool = 1 + *std::max_element(input.slots.begin(), input.slots.end());
  const std::vector<float> empty(size_t(pool * input.width()), kPoison);
  const auto k = on_device(device, StoredNumbers(input.type, empty)),
             v = on_device(device, StoredNumbers(input.type, empty));
  device.kernels().kv_write(keys.data(), values.data(), slots.data(), {k.data(), v.data(), input.type, {}},
                            input.rows(), input.kv_heads, input.head_dim, device.stream());
  device.synchronize();
  const int64_t slot_bytes = input.width() * bytes_of(input.type);
  const std::vector<std::byte> k_host = on_host(k, pool * slot_bytes), v_host = on_host(v, pool * slot_bytes);
  std::vector<std::byte> result;
  for (const int64_t slot : input.slots) {
    for (const auto* host : {&k_host, &v_host}) {
      result.insert(result.end(), host->begin() + slot * slot_bytes, host->begin() + (slot + 1) * slot_bytes);
    }
  }
  return result;
}

/// Where a paged cache has its blocks.
struct BlockTable {
  int32_t block_size, stride;
  std::vector<int32_t> blocks;  // (sequences, stride)
};

/// Sequence s holds keys and values of positions [0, lengths[s]) from slot first_slot[s] on, or in the blocks of its row
/// of the table; all other slots are NaN. Its rows are its last query_counts[s] positions.
struct AttentionInput {
  AttentionShape shape;
  StoredNumbers keys, values;  // (slots, kv_heads, head_dim)
  std::vector<int64_t> first_slot;
  std::vector<int32_t> query_start, sequence, positions;
  std::vector<float> q;                            // (rows, heads, head_dim)
  std::optional<BlockTable> paged = std::nullopt;  // then first_slot is empty

  int rows() const { return int(positions.size()); }
  AttentionInput row(int r) const {
    const int s = sequence[size_t(r)];
    AttentionInput one{shape, keys, values, {}, {0, 1}, {0}, {positions[size_t(r)]}, {}, paged};
    one.q = row_of(q, r, int64_t(shape.heads) * shape.head_dim);
    if (paged) {
      one.paged->blocks = row_of(paged->blocks, s, paged->stride);
    } else {
      one.first_slot = {first_slot[size_t(s)]};
    }
    return one;
  }
};

inline std::vector<float> run(Device& device, const AttentionInput& input) {
  const auto q = on_device(device, input.q);
  const auto keys = on_device(device, input.keys), values = on_device(device, input.values);
  const auto first_slot = on_device(device, input.first_slot);
  const auto blocks = on_device(device, input.paged ? input.paged->blocks : std::vector<int32_t>{});
  KvAddress address = ContiguousAddress{first_slot.data()};
  if (input.paged) address = PagedAddress{blocks.data(), input.paged->stride, block_shift_of(input.paged->block_size)};
  const auto query_start = on_device(device, input.query_start), sequence = on_device(device, input.sequence),
             positions = on_device(device, input.positions);
  const int longest = 1 + *std::max_element(input.positions.begin(), input.positions.end());
  constexpr int64_t kShift = 4;  // scratch is aligned to 16 bytes and no better
  const auto scratch =
      poisoned(device, device.kernels().attention_scratch(input.shape, input.rows(), longest) + kShift);
  const auto out = poisoned(device, int64_t(input.q.size()));
  const RaggedRows who{query_start.data(), sequence.data(), positions.data(), int(input.query_start.size()) - 1,
                       input.rows(),       longest};
  device.kernels().attention(q.data(), {keys.data(), values.data(), input.keys.type, address}, who, out.data(),
                             input.shape, scratch.data() + kShift, device.stream());
  device.synchronize();
  return on_host(out, int64_t(input.q.size()));
}

struct CopyBlocksInput {
  int64_t block_bytes;
  std::vector<std::byte> plane;  // (blocks, block_bytes)
  std::vector<BlockCopy> copies;

  int rows() const { return int(copies.size()); }
  CopyBlocksInput row(int r) const { return {block_bytes, plane, row_of(copies, r, 1)}; }
};

/// The blocks that were copied to, in the order of the copies.
inline std::vector<std::byte> run(Device& device, const CopyBlocksInput& input) {
  const auto plane = on_device(device, input.plane);
  const auto copies = on_device(device, input.copies);
  device.kernels().copy_blocks(plane.data(), copies.data(), input.rows(), input.block_bytes, device.stream());
  device.synchronize();
  const std::vector<std::byte> after = on_host(plane, int64_t(input.plane.size()));
  std::vector<std::byte> result;
  for (const BlockCopy& copy : input.copies) {
    const std::vector<std::byte> block = row_of(after, copy.to, input.block_bytes);
    result.insert(result.end(), block.begin(), block.end());
  }
  return result;
}

struct VerifyInput {
  std::vector<TokenId> drawn, draft;
  std::vector<int32_t> row_start;

  int rows() const { return int(row_start.size()) - 1; }
  VerifyInput row(int r) const {
    const int32_t first = row_start[size_t(r)], end = row_start[size_t(r) + 1];
    return {
        {drawn.begin() + first, drawn.begin() + end}, {draft.begin() + first, draft.begin() + end}, {0, end - first}};
  }
};

inline std::vector<int32_t> run(Device& device, const VerifyInput& input) {
  const auto drawn = on_device(device, input.drawn), draft = on_device(device, input.draft);
  const auto row_start = on_device(device, input.row_start);
  const auto accepted = on_device(device, std::vector<int32_t>(size_t(input.rows()), 0x7F7F7F7F));
  device.kernels().verify(drawn.data(), draft.data(), row_start.data(), accepted.data(), input.rows(), device.stream());
  device.synchronize();
  return on_host(accepted, input.rows());
}

struct SampleInput {
  int vocabulary;
  std::vector<float> logits;  // (rows, vocabulary)
  std::vector<SamplingRow> how;

  int rows() const { return int(how.size()); }
  SampleInput row(int r) const { return {vocabulary, row_of(logits, r, vocabulary), row_of(how, r, 1)}; }
};

inline std::vector<TokenId> run(Device& device, const SampleInput& input) {
  const auto logits = on_device(device, input.logits);
  const auto how = on_device(device, input.how);
  const auto out = on_device(device, std::vector<TokenId>(input.how.size(), 0x7F7F7F7F));
  device.kernels().sample(logits.data(), how.data(), out.data(), input.rows(), input.vocabulary, device.stream());
  device.synchronize();
  return on_host(out, input.rows());
}

}  // namespace stagecraft::testing
