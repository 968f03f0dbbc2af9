/// @file
/// Lab 5, task 2: keys and values in shuffled blocks, everything else poisoned, against the contract's own arithmetic.
#include <algorithm>
#include <cmath>

#include "kernels/exact_math.h"
#include "kernels/kv_address.h"
#include "labs/support/check.h"

namespace {

using stagecraft::bf16;
using stagecraft::kAttentionTile;
using stagecraft::labs::Check;
using stagecraft::labs::Message;
using Floats = std::vector<float>;
using Numbers = std::vector<int64_t>;

constexpr int64_t kPoison = 0xFFFF;  // bits of a bf16 NaN: what device memory holds before it is written

struct Shape {
  int64_t heads, kv_heads, head_dim;
};

/// Sequences whose blocks lie anywhere in a pool.
struct Paged {
  int64_t block_size, table_stride = 0, slots = 0;
  Numbers lengths = {}, tables = {};

  int64_t slot(size_t sequence, int64_t position) const {
    return tables[sequence * size_t(table_stride) + size_t(position / block_size)] * block_size + position % block_size;
  }
};

/// `beyond` blocks of the pool belong to nobody; tables end with kNoBlock.
Paged paged(Check& check, const Numbers& lengths, int64_t block_size) {
  constexpr int64_t kOfNobody = 3;
  Paged paged{.block_size = block_size, .lengths = lengths};
  int64_t used = 0;
  const auto blocks = [&](int64_t length) { return (length + block_size - 1) / block_size; };
  for (const int64_t length : lengths) {
    used += blocks(length);
    paged.table_stride = std::max(paged.table_stride, blocks(length) + 1);
  }
  Numbers free;
  for (int64_t block = 0; block < used + kOfNobody; ++block) {
    free.insert(free.begin() + check.random().below(uint32_t(block + 1)), block);
  }
  paged.slots = (used + kOfNobody) * block_size;
  for (const int64_t length : lengths) {
    for (int64_t i = 0; i < paged.table_stride; ++i) {
      const bool has_block = i < blocks(length);
      paged.tables.push_back(has_block ? free.back() : stagecraft::kNoBlock);
      if (has_block) free.pop_back();
    }
  }
  return paged;
}

Message request(const char* name, const Paged& paged, const Shape& shape) {
  Message message(name);
  message.set("slots", paged.slots)
      .set("tables", paged.tables)
      .set("table_stride", paged.table_stride)
      .set("block_shift", int64_t(stagecraft::block_shift_of(paged.block_size)))
      .set("kv_heads", shape.kv_heads)
      .set("head_dim", shape.head_dim);
  return message;
}

Numbers bits_of(const Floats& values) {
  Numbers bits;
  for (const float value : values) bits.push_back(stagecraft::round_to_bf16(value).bits);
  return bits;
}

// Writing.

struct Written {
  Numbers expected_keys, expected_values;
  Message answer;
};

/// One new row for each sequence, at its last position, and one in the middle of the first sequence.
Written write(Check& check, const Numbers& lengths, int64_t block_size, const Shape& shape) {
  const Paged pool = paged(check, lengths, block_size);
  const int64_t width = shape.kv_heads * shape.head_dim;
  Numbers sequence, positions;
  for (size_t s = 0; s < lengths.size(); ++s) {
    sequence.push_back(int64_t(s));
    positions.push_back(lengths[s] - 1);
  }
  if (lengths[0] > 1) {
    sequence.insert(sequence.begin(), 0);
    positions.insert(positions.begin(), lengths[0] / 2);
    if (positions[0] == lengths[0] - 1) positions[0] = 0;
  }
  const int64_t rows = int64_t(sequence.size());
  const Floats keys = check.random_floats(rows * width), values = check.random_floats(rows * width);
  check.input("{} rows of {} sequences, kv_heads = {}, head_dim = {}, blocks of {} in random order", rows,
              lengths.size(), shape.kv_heads, shape.head_dim, block_size);
  check.step("paged_write(keys, values, ...); all slots hold NaNs before; row 0 is position {} of sequence {}",
             positions[0], sequence[0]);
  Written written{Numbers(size_t(pool.slots * width), kPoison), Numbers(size_t(pool.slots * width), kPoison), {}};
  const Numbers key_bits = bits_of(keys), value_bits = bits_of(values);
  for (size_t row = 0; row < sequence.size(); ++row) {
    const int64_t slot = pool.slot(size_t(sequence[row]), positions[row]);
    for (int64_t i = 0; i < width; ++i) {
      written.expected_keys[size_t(slot * width + i)] = key_bits[row * size_t(width) + size_t(i)];
      written.expected_values[size_t(slot * width + i)] = value_bits[row * size_t(width) + size_t(i)];
    }
  }
  written.answer = check.call(request("paged_write", pool, shape)
                                  .set("keys", keys)
                                  .set("values", values)
                                  .set("sequence", sequence)
                                  .set("positions", positions));
  return written;
}

void expect_written(Check& check, const Written& written) {
  check.expect_equal("bits of keys", written.expected_keys, written.answer.integers("keys"));
  check.expect_equal("bits of values", written.expected_values, written.answer.integers("values"));
}

// Attention.

/// Keys or values of a sequence, (length, kv_heads, head_dim), rounded.
using Plane = std::vector<bf16>;

Plane random_plane(Check& check, int64_t count) {
  Plane plane;
  for (const float value : check.random_floats(count)) plane.push_back(stagecraft::round_to_bf16(value));
  return plane;
}

/// One query against keys 0 ... length - 1 of one head: tiles of 64, merged in order.
Floats attend(const float* query, const Plane& keys, const Plane& values, int64_t length, const Shape& shape,
              int64_t kv_head, float scale) {
  const auto at = [&](const Plane& plane, int64_t p) {
    return plane.data() + (p * shape.kv_heads + kv_head) * shape.head_dim;
  };
  stagecraft::SoftmaxState state;
  Floats result(size_t(shape.head_dim), 0.0f);
  for (int64_t tile = 0; tile < length; tile += kAttentionTile) {
    const int64_t end = std::min<int64_t>(tile + kAttentionTile, length);
    float weights[kAttentionTile] = {};
    stagecraft::SoftmaxState later;
    for (int64_t p = tile; p < end; ++p) {
      weights[p - tile] = stagecraft::exact_dot(query, at(keys, p), shape.head_dim) * scale;
      later.max = std::max(later.max, weights[p - tile]);
    }
    Floats gathered(size_t(shape.head_dim), 0.0f);
    for (int64_t p = tile; p < end; ++p) {
      weights[p - tile] = stagecraft::exact_exp(weights[p - tile] - later.max);
      for (size_t d = 0; d < gathered.size(); ++d) {
        gathered[d] = std::fma(weights[p - tile], stagecraft::to_float(at(values, p)[d]), gathered[d]);
      }
    }
    later.sum = stagecraft::exact_fold(weights);
    if (tile == 0) {
      state = later;
      result = gathered;
      continue;
    }
    const stagecraft::MergeWeights merged = stagecraft::merge(state, later);
    for (size_t d = 0; d < result.size(); ++d) {
      result[d] = std::fma(result[d], merged.earlier, gathered[d] * merged.later);
    }
  }
  for (float& value : result) value /= state.sum;
  return result;
}

struct Attended {
  Floats expected;
  Message answer;
};

/// A row for the last position of each sequence, and one for a position before.
Attended attention(Check& check, const Numbers& lengths, int64_t block_size, const Shape& shape) {
  const Paged pool = paged(check, lengths, block_size);
  const int64_t width = shape.kv_heads * shape.head_dim;
  const float scale = float(1.0 / std::sqrt(double(shape.head_dim)));
  Numbers sequence, positions, stored_slots, stored_keys, stored_values;
  Attended attended;
  Floats q;
  for (size_t s = 0; s < lengths.size(); ++s) {
    const Plane keys = random_plane(check, lengths[s] * width), values = random_plane(check, lengths[s] * width);
    for (int64_t p = 0; p < lengths[s]; ++p) stored_slots.push_back(pool.slot(s, p));
    for (const bf16 key : keys) stored_keys.push_back(key.bits);
    for (const bf16 value : values) stored_values.push_back(value.bits);
    for (const int64_t position : s == 0 ? Numbers{lengths[s] - 1, lengths[s] / 2} : Numbers{lengths[s] - 1}) {
      sequence.push_back(int64_t(s));
      positions.push_back(position);
      const Floats row = check.random_floats(shape.heads * shape.head_dim, -3.0f, 3.0f);
      q.insert(q.end(), row.begin(), row.end());
      for (int64_t head = 0; head < shape.heads; ++head) {
        const Floats one = attend(row.data() + head * shape.head_dim, keys, values, position + 1, shape,
                                  head / (shape.heads / shape.kv_heads), scale);
        attended.expected.insert(attended.expected.end(), one.begin(), one.end());
      }
    }
  }
  check.input(
      "{} sequences, the first has {} tokens; heads = {}, kv_heads = {}, head_dim = {}; blocks of {} in random "
      "order",
      lengths.size(), lengths[0], shape.heads, shape.kv_heads, shape.head_dim, block_size);
  check.step("paged_attention(q, kv, ...); slots that no sequence owns were never written");
  attended.answer = check.call(request("paged_attention", pool, shape)
                                   .set("stored_slots", stored_slots)
                                   .set("stored_keys", stored_keys)
                                   .set("stored_values", stored_values)
                                   .set("q", q)
                                   .set("sequence", sequence)
                                   .set("positions", positions)
                                   .set("heads", shape.heads)
                                   .set("scale", Floats{scale}));
  return attended;
}

constexpr Shape kGrouped{4, 2, 32}, kOdd{3, 1, 40}, kWide{2, 2, 128};

}  // namespace

LAB_CHECK("lab05.t2.c1") {
  for (const int64_t block_size : {1, 2, 16, 64}) {
    for (const Shape& shape : {kGrouped, kOdd}) {
      expect_written(check, write(check, {33, 1, 16, 17, 128}, block_size, shape));
    }
  }
}

LAB_CHECK("lab05.t2.c2") {
  for (const int64_t block_size : {1, 16, 64, 128}) {
    const Attended attended = attention(check, {33, 1, 31, 32, 65, 129}, block_size, kGrouped);
    check.expect_equal("out", attended.expected, attended.answer.floats("out"));
  }
  for (const int64_t length : check.sizes({63, 127, 128})) {
    for (const Shape& shape : {kOdd, kWide}) {
      const Attended attended = attention(check, {length, 5}, 2, shape);
      check.expect_equal("out", attended.expected, attended.answer.floats("out"));
    }
  }
}

LAB_CHECK("lab05.t2.c3") {
  for (const int64_t block_size : {2, 16}) {
    const Written written = write(check, {33, 1, 17}, block_size, kOdd);
    check.expect_no_findings(written.answer);
    expect_written(check, written);
    const Attended attended = attention(check, {33, 1, 16, 17}, block_size, kOdd);
    check.expect_no_findings(attended.answer);
    check.expect_equal("out", attended.expected, attended.answer.floats("out"));
  }
}

LAB_CHECK("lab05.t2.c4") {
  constexpr int64_t kLength = 128, kBlockSize = 16, kSectorBytes = 32, kRest = 8;
  const Attended attended = attention(check, {kLength}, kBlockSize, kGrouped);
  check.expect_equal("out", attended.expected, attended.answer.floats("out"));
  check.step("the simulator counts the sectors that loads move; there is one row at {}, one at {}", kLength - 1,
             kLength / 2);
  int64_t most = 0;
  for (const int64_t seen : {kLength, kLength / 2 + 1}) {
    const int64_t keys_and_values = 2 * seen * kGrouped.head_dim * int64_t(sizeof(bf16)) / kSectorBytes;
    const int64_t blocks = (seen + kBlockSize - 1) / kBlockSize;
    const int64_t query = kGrouped.head_dim * int64_t(sizeof(float)) / kSectorBytes;
    most += kGrouped.heads * (keys_and_values + 2 * blocks + query * seen + kRest);
  }
  check.expect_at_most("sectors moved by loads", most, attended.answer.integer("global_load.moved"));
}
