/// @file
/// Lab 3: attention of ragged batches, with slots of nobody that must not be seen.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/exact_math.h"
#include "kernels/number_types.h"
#include "labs/support/check.h"

namespace {

using stagecraft::bf16;
using stagecraft::kAttentionTile;
using stagecraft::labs::Check;
using stagecraft::labs::Message;
using Floats = std::vector<float>;
using Doubles = std::vector<double>;

constexpr double kTolerance = 1e-5;
constexpr int64_t kPaddingRow = -1;
constexpr int64_t kGarbage = 1 << 20;  // as a padding row's position: far beyond any slot

/// What lies in slots that no sequence owns.
enum class Unowned { loud, nan };

/// What surrounds the sequences of a batch.
struct Around {
  Unowned unowned;
  bool padding_rows = false;
  bool memory_ends = false;  // with the last key, so that to read on is a bad address
};

struct Sequence {
  int64_t length;    // stored tokens
  int64_t rows = 1;  // of the batch: for the last of these tokens
};

struct Shape {
  int64_t heads, kv_heads, head_dim;
};

constexpr Shape kShape{4, 2, 24};  // as tales-400k

/// A batch, on the host.
struct Batch {
  Shape shape;
  Floats q;                                  // (rows, heads, head_dim)
  std::vector<bf16> keys, values;            // (slots, kv_heads, head_dim)
  std::vector<int64_t> sequence, positions;  // (rows)
  std::vector<int64_t> first_slot;           // (sequences)
  float scale;

  const float* query(int64_t row, int64_t head) const { return q.data() + (row * shape.heads + head) * shape.head_dim; }
  /// Where the key and the value of `position` begin.
  int64_t at(int64_t row, int64_t head, int64_t position) const {
    const int64_t slot = first_slot[size_t(sequence[size_t(row)])] + position;
    return (slot * shape.kv_heads + head / (shape.heads / shape.kv_heads)) * shape.head_dim;
  }
};

std::vector<bf16> random_slots(Check& check, int64_t count, int64_t width) {
  std::vector<bf16> slots;
  for (const float value : check.random_floats(count * width)) slots.push_back(stagecraft::round_to_bf16(value));
  return slots;
}

/// Fills slots that nobody owns. Loud keys attract all attention, and loud values show it.
void fill_unowned(Batch& batch, const std::vector<bool>& owned, Unowned what) {
  constexpr float kLoud = 100.0f;
  const bf16 content = stagecraft::round_to_bf16(what == Unowned::nan ? std::nanf("") : kLoud);
  const size_t width = size_t(batch.shape.kv_heads * batch.shape.head_dim);
  for (size_t slot = 0; slot < owned.size(); ++slot) {
    if (owned[slot]) continue;
    std::fill_n(batch.keys.begin() + std::ptrdiff_t(slot * width), width, content);
    std::fill_n(batch.values.begin() + std::ptrdiff_t(slot * width), width, content);
  }
}

/// Regions of the sequences lie in another order than the sequences, with gaps.
std::vector<bool> lay_out(Check& check, const std::vector<Sequence>& sequences, bool memory_ends, Batch& batch) {
  batch.first_slot.resize(sequences.size());
  std::vector<bool> owned;
  for (size_t i = sequences.size(); i-- > 0;) {
    owned.resize(owned.size() + size_t(1 + check.random().below(4)), false);
    batch.first_slot[i] = int64_t(owned.size());
    owned.resize(owned.size() + size_t(sequences[i].length), true);
  }
  if (!memory_ends) owned.resize(owned.size() + size_t(kAttentionTile), false);
  return owned;
}

Batch make_batch(Check& check, const std::vector<Sequence>& sequences, const Shape& shape, const Around& around) {
  Batch batch;
  batch.shape = shape;
  batch.scale = float(1.0 / std::sqrt(double(shape.head_dim)));
  for (size_t s = 0; s < sequences.size(); ++s) {
    const Sequence& sequence = sequences[s];
    for (int64_t p = sequence.length - sequence.rows; p < sequence.length; ++p) {
      batch.sequence.push_back(int64_t(s));
      batch.positions.push_back(p);
    }
    if (!around.padding_rows) continue;
    batch.sequence.push_back(kPaddingRow);
    batch.positions.push_back(kGarbage);
  }
  const std::vector<bool> owned = lay_out(check, sequences, around.memory_ends, batch);
  batch.keys = random_slots(check, int64_t(owned.size()), shape.kv_heads * shape.head_dim);
  batch.values = random_slots(check, int64_t(owned.size()), shape.kv_heads * shape.head_dim);
  batch.q = check.random_floats(int64_t(batch.sequence.size()) * shape.heads * shape.head_dim);
  fill_unowned(batch, owned, around.unowned);
  return batch;
}

/// One row and head in fp64: its weighted values.
Doubles attend(const Batch& batch, int64_t row, int64_t head) {
  Doubles scores;
  for (int64_t p = 0; p <= batch.positions[size_t(row)]; ++p) {
    double dot = 0;
    for (int64_t d = 0; d < batch.shape.head_dim; ++d) {
      dot += double(batch.query(row, head)[d]) * double(to_float(batch.keys[size_t(batch.at(row, head, p) + d)]));
    }
    scores.push_back(dot * double(batch.scale));
  }
  const double largest = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  Doubles result(size_t(batch.shape.head_dim), 0.0);
  for (size_t p = 0; p < scores.size(); ++p) {
    const double weight = std::exp(scores[p] - largest);
    sum += weight;
    for (size_t d = 0; d < result.size(); ++d) {
      result[d] += weight * double(to_float(batch.values[size_t(batch.at(row, head, int64_t(p))) + d]));
    }
  }
  for (double& value : result) value /= sum;
  return result;
}

/// The same by the contract's order (docs/exactness.md, R3).
Floats attend_exactly(const Batch& batch, int64_t row, int64_t head) {
  const int64_t end = batch.positions[size_t(row)] + 1, head_dim = batch.shape.head_dim;
  stagecraft::SoftmaxState all;
  Floats result;
  for (int64_t first = 0; first < end; first += kAttentionTile) {
    const int64_t seen = std::min<int64_t>(kAttentionTile, end - first);
    stagecraft::SoftmaxState tile;
    float weights[kAttentionTile] = {};
    for (int64_t k = 0; k < seen; ++k) {
      const bf16* key = batch.keys.data() + batch.at(row, head, first + k);
      weights[k] = stagecraft::exact_dot(batch.query(row, head), key, head_dim) * batch.scale;
      tile.max = std::max(tile.max, weights[k]);
    }
    Floats values(size_t(head_dim), 0.0f);
    for (int64_t k = 0; k < seen; ++k) {
      weights[k] = stagecraft::exact_exp(weights[k] - tile.max);
      const bf16* value = batch.values.data() + batch.at(row, head, first + k);
      for (size_t d = 0; d < values.size(); ++d) values[d] = std::fmaf(weights[k], to_float(value[d]), values[d]);
    }
    tile.sum = stagecraft::exact_fold(weights);
    if (first == 0) {
      all = tile;
      result = values;
      continue;
    }
    const stagecraft::MergeWeights scale = stagecraft::merge(all, tile);
    for (size_t d = 0; d < values.size(); ++d) {
      result[d] = std::fmaf(result[d], scale.earlier, values[d] * scale.later);
    }
  }
  for (float& value : result) value /= all.sum;
  return result;
}

/// All rows and heads by `attend_row`; zeros for padding rows.
template <class Value, class AttendRow>
std::vector<Value> expected_of(const Batch& batch, AttendRow attend_row) {
  std::vector<Value> expected;
  for (size_t row = 0; row < batch.sequence.size(); ++row) {
    for (int64_t head = 0; head < batch.shape.heads; ++head) {
      const std::vector<Value> one = batch.sequence[row] == kPaddingRow
                                         ? std::vector<Value>(size_t(batch.shape.head_dim), Value{0})
                                         : attend_row(batch, int64_t(row), head);
      expected.insert(expected.end(), one.begin(), one.end());
    }
  }
  return expected;
}

std::vector<int64_t> bits_of(const std::vector<bf16>& values) {
  std::vector<int64_t> bits;
  for (const bf16 value : values) bits.push_back(value.bits);
  return bits;
}

Message attention(Check& check, const std::vector<Sequence>& sequences, const Batch& batch, Unowned unowned) {
  std::string text;
  for (const Sequence& one : sequences) text += fmt::format("{}{}/{}", text.empty() ? "" : " ", one.length, one.rows);
  check.input("keys/rows of each sequence: {}; heads = {}, kv_heads = {}, head_dim = {}; {} in slots of nobody", text,
              batch.shape.heads, batch.shape.kv_heads, batch.shape.head_dim, unowned == Unowned::nan ? "NaN" : "100");
  check.step("attention(q, keys, values, rows, out, {}, {}, {}, {:g}) of {} rows", batch.shape.heads,
             batch.shape.kv_heads, batch.shape.head_dim, batch.scale, batch.sequence.size());
  return check.call(Message("attention")
                        .set("q", batch.q)
                        .set("keys", bits_of(batch.keys))
                        .set("values", bits_of(batch.values))
                        .set("sequence", batch.sequence)
                        .set("positions", batch.positions)
                        .set("first_slot", batch.first_slot)
                        .set("heads", batch.shape.heads)
                        .set("kv_heads", batch.shape.kv_heads)
                        .set("head_dim", batch.shape.head_dim)
                        .set("scale", Floats{batch.scale}));
}

/// Around a warp, a tile and two tiles; those of hidden tests are added.
std::vector<Sequence> decoding(const Check& check) {
  std::vector<Sequence> sequences;
  for (const int64_t length : check.sizes({33, 1, 129, 31, 64, 32, 63, 128, 65, 127})) sequences.push_back({length});
  return sequences;
}

const std::vector<Sequence> kRagged = {{5, 5}, {70, 3}, {1, 1}, {34, 2}};

struct Case {
  std::vector<Sequence> sequences;
  Shape shape;
};

std::vector<Case> cases(const Check& check) {
  return {{decoding(check), kShape}, {kRagged, {3, 1, 40}}, {kRagged, {2, 2, 128}}};
}

void expect_close_to_fp64(Check& check, const Around& around) {
  for (const Case& one : cases(check)) {
    const Batch batch = make_batch(check, one.sequences, one.shape, around);
    const Message answer = attention(check, one.sequences, batch, around.unowned);
    check.expect_close("out", expected_of<double>(batch, attend), answer.floats("out"), kTolerance);
  }
}

}  // namespace

LAB_CHECK("lab03.t2.c1") { expect_close_to_fp64(check, {Unowned::loud}); }

LAB_CHECK("lab03.t2.c2") { expect_close_to_fp64(check, {Unowned::nan}); }

LAB_CHECK("lab03.t2.c3") { expect_close_to_fp64(check, {Unowned::loud, true}); }

LAB_CHECK("lab03.t2.c4") {
  const std::vector<Case> all = {
      {{{1}}, {1, 1, 4}}, {{{33}}, {3, 1, 8}}, {{{129}, {65}}, kShape}, {kRagged, {3, 3, 33}}};
  for (const Case& one : all) {
    for (const bool padding_rows : {false, true}) {
      const Batch batch = make_batch(check, one.sequences, one.shape, {Unowned::nan, padding_rows, true});
      const Message answer = attention(check, one.sequences, batch, Unowned::nan);
      check.expect_no_findings(answer);
      check.expect_close("out", expected_of<double>(batch, attend), answer.floats("out"), kTolerance);
    }
  }
}

LAB_CHECK("lab03.t2.c5") {
  for (const Case& one : cases(check)) {
    const Batch batch = make_batch(check, one.sequences, one.shape, {Unowned::nan});
    const Message answer = attention(check, one.sequences, batch, Unowned::nan);
    check.expect_equal("out", expected_of<float>(batch, attend_exactly), answer.floats("out"));
  }
}
