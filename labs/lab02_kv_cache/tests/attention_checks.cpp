/// @file Lab 2: states of tiles and their merge, against fp64 and against the engine's own text
/// (kernels/cpu/plain_attention.h).
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/cpu/plain_attention.h"
#include "labs/support/check.h"

namespace {

using stagecraft::bf16;
using stagecraft::ContiguousAddress;
using stagecraft::fp16;
using stagecraft::kAttentionTile;
using stagecraft::NumberType;
using stagecraft::SoftmaxState;
using stagecraft::StoredKv;
using stagecraft::labs::Check;
using stagecraft::labs::Message;
using Floats = std::vector<float>;
using Doubles = std::vector<double>;
using Integers = std::vector<int64_t>;

constexpr double kTolerance = 1e-5;

int64_t tiles_of(int64_t keys) { return (keys + kAttentionTile - 1) / kAttentionTile; }

/// One token whose attention is computed.
struct Row {
  int32_t sequence, position;
};

struct Case {
  std::vector<Row> rows;
  int heads, kv_heads, head_dim;
  NumberType type = NumberType::bf16;
  float largest_q = 1.0f;   // queries are in (-largest_q, largest_q)
  int64_t spare_tiles = 0;  // that no row needs
  bool poisoned = false;    // slots that belong to nobody hold NaN, not old numbers
};

/// Each of `lengths` is a sequence of its own, and its last token a row.
std::vector<Row> last_rows(const Integers& lengths) {
  std::vector<Row> rows;
  for (const int64_t length : lengths) rows.push_back({int32_t(rows.size()), int32_t(length - 1)});
  return rows;
}

/// A cache of type T with the sequences of a case somewhere in it.
template <class T>
struct Stored {
  Integers first_slot;
  std::vector<T> keys, values;  // (slots, kv_heads, head_dim)
};

template <class T>
constexpr NumberType type_of() {
  if constexpr (std::is_same_v<T, bf16>) return NumberType::bf16;
  if constexpr (std::is_same_v<T, fp16>) return NumberType::fp16;
  return NumberType::fp32;
}

template <class T>
int64_t bits(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return stagecraft::bits_of(value);
  } else {
    return value.bits;
  }
}

template <class T>
Integers bits(const std::vector<T>& values) {
  Integers all;
  for (const T value : values) all.push_back(bits(value));
  return all;
}

template <class T>
Stored<T> store(Check& check, const Case& one) {
  int sequences = 0;
  for (const Row& row : one.rows) sequences = std::max(sequences, row.sequence + 1);
  Integers lengths(size_t(sequences), 0);
  for (const Row& row : one.rows) {
    int64_t& length = lengths[size_t(row.sequence)];
    length = std::max<int64_t>(length, row.position + 1);
  }
  Stored<T> stored;
  int64_t slots = 0;
  for (const int64_t length : lengths) {
    slots += 1 + check.random().below(70);  // nobody's
    stored.first_slot.push_back(slots);
    slots += length;
  }
  slots += kAttentionTile;  // nobody's either: who reads past the end of a sequence reads these
  const int64_t width = int64_t(one.kv_heads) * one.head_dim;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (auto* plane : {&stored.keys, &stored.values}) {
    plane->clear();
    for (const float old : check.random_floats(slots * width, -3.0f, 3.0f)) {
      plane->push_back(stagecraft::round_to<T>(one.poisoned ? nan : old));
    }
    for (size_t s = 0; s < lengths.size(); ++s) {
      auto to = plane->begin() + stored.first_slot[s] * width;
      for (const float value : check.random_floats(lengths[s] * width)) *to++ = stagecraft::round_to<T>(value);
    }
  }
  return stored;
}

/// What one tile says to one query; in fp64 for the tolerance, as the engine has it for the bits.
struct TileCase {
  int64_t state;  // index in (rows, heads, tiles)
  double max = 0, sum = 0;
  Doubles values;
  SoftmaxState exact;
  Floats exact_values;
};

/// A case with inputs, and the message that carries them.
template <class T>
struct Prepared {
  Case one;
  int64_t tiles;
  Stored<T> stored;
  Floats q;
  float scale;
  Message message;

  StoredKv<T, ContiguousAddress> kv() const {
    return {stored.keys.data(), stored.values.data(), {stored.first_slot.data()}};
  }
  stagecraft::AttentionShape shape() const {
    return {one.heads, one.kv_heads, one.head_dim, stagecraft::kNoWindow, scale};
  }
};

template <class T>
Prepared<T> prepare(Check& check, const char* call, const Case& one, bool all_written) {
  Prepared<T> ready{one, one.spare_tiles, store<T>(check, one), {}, 0.0f, Message(call)};
  Integers sequence, positions;
  int64_t most = 0, fewest = std::numeric_limits<int64_t>::max();
  for (const Row& row : one.rows) {
    sequence.push_back(row.sequence);
    positions.push_back(row.position);
    most = std::max<int64_t>(most, row.position + 1);
    fewest = std::min<int64_t>(fewest, row.position + 1);
  }
  ready.tiles += tiles_of(most);
  const int64_t count = int64_t(one.rows.size()) * one.heads * one.head_dim;
  ready.q = check.random_floats(count, -one.largest_q, one.largest_q);
  ready.scale = float(1.0 / std::sqrt(double(one.head_dim)));
  ready.message.set("q", ready.q)
      .set("cached_keys", bits(ready.stored.keys))
      .set("cached_values", bits(ready.stored.values))
      .set("type", int64_t(type_of<T>()))
      .set("first_slot", ready.stored.first_slot)
      .set("sequence", sequence)
      .set("positions", positions)
      .set("tiles", ready.tiles)
      .set("heads", int64_t(one.heads))
      .set("kv_heads", int64_t(one.kv_heads))
      .set("head_dim", int64_t(one.head_dim))
      .set("scale", Floats{ready.scale})
      .set("all_written", int64_t(all_written));
  check.input("rows = {}, each sees {} to {} keys; heads = {}, kv_heads = {}, head_dim = {}, {}; {} in all other slots",
              one.rows.size(), fewest, most, one.heads, one.kv_heads, one.head_dim, name_of(type_of<T>()),
              one.poisoned ? "NaN" : "old numbers");
  check.step("{}(...): row 0 is at position {}, position 0 of its sequence in slot {}; {} tiles", call,
             one.rows[0].position, ready.stored.first_slot[size_t(one.rows[0].sequence)], ready.tiles);
  return ready;
}

/// The tile in fp64.
template <class T>
void attend_in_doubles(const Prepared<T>& ready, const float* q, const Row& row, int64_t kv_head, int64_t first,
                       int64_t last, TileCase& tile) {
  const int64_t head_dim = ready.one.head_dim;
  const auto at = [&](int64_t position) {
    const int64_t slot = ready.stored.first_slot[size_t(row.sequence)] + position;
    return size_t((slot * ready.one.kv_heads + kv_head) * head_dim);
  };
  Doubles scores;
  for (int64_t p = first; p < last; ++p) {
    double dot = 0;
    for (int64_t d = 0; d < head_dim; ++d) {
      dot += double(q[d]) * double(stagecraft::to_float(ready.stored.keys[at(p) + size_t(d)]));
    }
    scores.push_back(dot * double(ready.scale));
  }
  tile.max = *std::max_element(scores.begin(), scores.end());
  tile.values.assign(size_t(head_dim), 0.0);
  for (int64_t p = first; p < last; ++p) {
    const double weight = std::exp(scores[size_t(p - first)] - tile.max);
    tile.sum += weight;
    for (int64_t d = 0; d < head_dim; ++d) {
      tile.values[size_t(d)] += weight * double(stagecraft::to_float(ready.stored.values[at(p) + size_t(d)]));
    }
  }
}

/// All tiles that some row sees.
template <class T>
std::vector<TileCase> expected_tiles(const Prepared<T>& ready) {
  std::vector<TileCase> all;
  for (size_t r = 0; r < ready.one.rows.size(); ++r) {
    const Row row = ready.one.rows[r];
    const stagecraft::cpu::VisibleKeys keys = stagecraft::cpu::visible_keys(row.position, stagecraft::kNoWindow);
    for (int head = 0; head < ready.one.heads; ++head) {
      const int64_t query = int64_t(r) * ready.one.heads + head;
      const int64_t kv_head = head / (ready.one.heads / ready.one.kv_heads);
      const float* q = ready.q.data() + query * ready.one.head_dim;
      for (int64_t t = 0; t < tiles_of(keys.last); ++t) {
        TileCase& tile = all.emplace_back();
        tile.state = query * ready.tiles + t;
        const int64_t start = t * kAttentionTile;
        attend_in_doubles(ready, q, row, kv_head, start, std::min(keys.last, start + kAttentionTile), tile);
        tile.exact_values.resize(size_t(ready.one.head_dim));
        tile.exact = stagecraft::cpu::attend_tile(q, ready.kv(), row.sequence, kv_head, ready.shape(), start, keys,
                                                  tile.exact_values.data());
      }
    }
  }
  return all;
}

/// What the learner wrote for `tile`: max and sum, then the values.
struct GotTile {
  Floats state, values;
};

GotTile got_tile(const Message& answer, const TileCase& tile, int64_t head_dim) {
  const auto part = [](const Floats& all, int64_t index, int64_t width) {
    return Floats(all.begin() + index * width, all.begin() + (index + 1) * width);
  };
  constexpr int64_t kMaxAndSum = 2;
  return {part(answer.floats("softmaxes"), tile.state, kMaxAndSum),
          part(answer.floats("values"), tile.state, head_dim)};
}

void expect_close_tiles(Check& check, const std::vector<TileCase>& tiles, const Message& answer, int64_t head_dim) {
  for (const TileCase& tile : tiles) {
    const GotTile got = got_tile(answer, tile, head_dim);
    const std::string where = fmt::format("state {}: ", tile.state);
    // Single elements of max, sum and values may be small by chance: the scale is that of a whole tile.
    check.expect_close(where + "max", {tile.max, 1.0}, {got.state[0], 1.0f}, kTolerance);
    check.expect_close(where + "sum", {tile.sum}, {got.state[1]}, kTolerance);
    check.expect_close(where + "values", tile.values, got.values, kTolerance);
  }
}

void expect_exact_tiles(Check& check, const std::vector<TileCase>& tiles, const Message& answer, int64_t head_dim) {
  for (const TileCase& tile : tiles) {
    const GotTile got = got_tile(answer, tile, head_dim);
    const std::string where = fmt::format("state {}: ", tile.state);
    check.expect_equal(where + "max and sum", {tile.exact.max, tile.exact.sum}, got.state);
    check.expect_equal(where + "values", tile.exact_values, got.values);
  }
}

template <class T>
struct Attended {
  Prepared<T> ready;
  std::vector<TileCase> tiles;
  Message answer;
};

template <class T = bf16>
Attended<T> attend_tiles(Check& check, const Case& one, bool all_written = false) {
  Prepared<T> ready = prepare<T>(check, "attend_tiles", one, all_written);
  std::vector<TileCase> tiles = expected_tiles(ready);
  Message answer = check.call(ready.message);
  return {std::move(ready), std::move(tiles), std::move(answer)};
}

}  // namespace

LAB_CHECK("lab02.t2.c1") {
  for (const int64_t length : check.sizes({1, 31, 32, 33, 63, 64})) {
    const Case one{last_rows({length}), 1, 1, 16};
    const auto attended = attend_tiles(check, one);
    expect_close_tiles(check, attended.tiles, attended.answer, one.head_dim);
  }
}

LAB_CHECK("lab02.t2.c2") {
  for (const Case& one : {Case{last_rows({65, 127}), 2, 2, 8}, Case{last_rows({128, 1, 129}), 4, 2, 24},
                          Case{last_rows({200, 20}), 6, 2, 34}}) {
    const auto attended = attend_tiles(check, one);
    expect_close_tiles(check, attended.tiles, attended.answer, one.head_dim);
  }
}

LAB_CHECK("lab02.t2.c3") {
  const Case one{last_rows({7, 100, 64}), 4, 2, 80, NumberType::bf16, 3.0f};
  const auto of_bf16 = attend_tiles<bf16>(check, one);
  expect_exact_tiles(check, of_bf16.tiles, of_bf16.answer, one.head_dim);
  const auto of_fp16 = attend_tiles<fp16>(check, one);
  expect_exact_tiles(check, of_fp16.tiles, of_fp16.answer, one.head_dim);
  const auto of_fp32 = attend_tiles<float>(check, one);
  expect_exact_tiles(check, of_fp32.tiles, of_fp32.answer, one.head_dim);
}

LAB_CHECK("lab02.t2.c4") {
  for (const int64_t length : check.sizes({1, 33, 65, 129})) {
    const Case one{last_rows({length, 3}), 2, 1, 16, NumberType::bf16, 1.0f, 0, true};
    const auto attended = attend_tiles(check, one);
    expect_close_tiles(check, attended.tiles, attended.answer, one.head_dim);
  }
}

LAB_CHECK("lab02.t2.c5") {
  for (const Case& one :
       {Case{last_rows({1}), 1, 1, 2}, Case{last_rows({70, 128}), 8, 1, 16}, Case{last_rows({65}), 3, 3, 128}}) {
    const auto attended = attend_tiles(check, one, true);
    check.expect_no_findings(attended.answer);
    expect_close_tiles(check, attended.tiles, attended.answer, one.head_dim);
  }
}

namespace {

constexpr int64_t kSectorBytes = 32;

const Case kCounted{last_rows({192}), 8, 2, 64};

int64_t kv_sectors(const Case& one) {
  const int64_t keys = one.rows[0].position + 1;
  return 2 * keys * one.kv_heads * one.head_dim * int64_t(sizeof(bf16)) / kSectorBytes;
}

}  // namespace

LAB_CHECK("lab02.t2.c6") {
  const auto attended = attend_tiles(check, kCounted);
  expect_close_tiles(check, attended.tiles, attended.answer, kCounted.head_dim);
  check.step("the simulator counts the sectors that loads move");
  const int64_t query_sectors = int64_t(kCounted.heads) * kCounted.head_dim * int64_t(sizeof(float)) / kSectorBytes;
  const int64_t needed = kv_sectors(kCounted) + attended.ready.tiles * query_sectors;
  check.expect_at_most("sectors moved by loads", needed * 12 / 10, attended.answer.integer("global_load.moved"));
}

LAB_CHECK("lab02.t2.c7") {
  const auto attended = attend_tiles(check, kCounted);
  expect_close_tiles(check, attended.tiles, attended.answer, kCounted.head_dim);
  check.step("the simulator counts the wavefronts of shared loads");
  check.expect_at_most("wavefronts of shared loads", attended.answer.integer("shared_load.ideal") * 11 / 10,
                       attended.answer.integer("shared_load.moved"));
}

namespace {

/// Random states of tiles; those that no row has are NaN.
struct MergeCase {
  Floats expected;
  Message answer;
};

struct MergeShape {
  Integers lengths;  // a row each
  int heads, head_dim;
  int64_t spare_tiles = 0;
  float largest_max = 5.0f;
};

MergeCase merge_tiles(Check& check, const MergeShape& shape) {
  const std::vector<Row> rows = last_rows(shape.lengths);
  const int64_t tiles = tiles_of(*std::max_element(shape.lengths.begin(), shape.lengths.end())) + shape.spare_tiles;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  MergeCase merge;
  Floats softmaxes, values;
  Integers sequence, positions;
  for (const Row& row : rows) {
    sequence.push_back(row.sequence);
    positions.push_back(row.position);
    for (int head = 0; head < shape.heads; ++head) {
      SoftmaxState state;
      Floats sum;
      for (int64_t tile = 0; tile < tiles; ++tile) {
        const bool exists = tile < tiles_of(row.position + 1);
        const SoftmaxState later{check.random_floats(1, -shape.largest_max, shape.largest_max)[0],
                                 check.random_floats(1, 1.0f, 64.0f)[0]};
        const Floats its_values = check.random_floats(shape.head_dim, -10.0f, 10.0f);
        softmaxes.insert(softmaxes.end(), {exists ? later.max : nan, exists ? later.sum : nan});
        for (const float value : its_values) values.push_back(exists ? value : nan);
        if (!exists) continue;
        if (tile == 0) {
          state = later;
          sum = its_values;
          continue;
        }
        const stagecraft::MergeWeights weights = stagecraft::merge(state, later);
        for (size_t d = 0; d < sum.size(); ++d) sum[d] = fmaf(sum[d], weights.earlier, its_values[d] * weights.later);
      }
      for (const float element : sum) merge.expected.push_back(element / state.sum);
    }
  }
  check.input(
      "{} rows, the first has {} of {} tiles; heads = {}, head_dim = {}; states are random, those of no row NaN",
      rows.size(), tiles_of(shape.lengths[0]), tiles, shape.heads, shape.head_dim);
  check.step("merge_tiles(states, queries, heads, out)");
  merge.answer = check.call(Message("merge_tiles")
                                .set("softmaxes", softmaxes)
                                .set("values", values)
                                .set("first_slot", Integers(rows.size(), 0))
                                .set("sequence", sequence)
                                .set("positions", positions)
                                .set("tiles", tiles)
                                .set("heads", int64_t(shape.heads))
                                .set("kv_heads", int64_t(shape.heads))
                                .set("head_dim", int64_t(shape.head_dim))
                                .set("scale", Floats{1.0f}));
  return merge;
}

/// The whole attention against the engine's, bit for bit.
template <class T>
void expect_engine_bits(Check& check, const Case& one) {
  const Prepared<T> ready = prepare<T>(check, "decode_attention", one, false);
  std::vector<int32_t> sequence, positions;
  for (const Row& row : one.rows) {
    sequence.push_back(row.sequence);
    positions.push_back(row.position);
  }
  const int rows = int(one.rows.size());
  const stagecraft::RaggedRows who{nullptr, sequence.data(), positions.data(), 0, rows, 0};
  Floats expected(ready.q.size());
  stagecraft::cpu::plain_attention(ready.q.data(), ready.kv(), who, expected.data(), ready.shape());
  const Message answer = check.call(ready.message);
  check.expect_equal("out", expected, answer.floats("out"));
}

}  // namespace

LAB_CHECK("lab02.t3.c1") {
  for (const int64_t tiles : check.sizes({1, 2, 3, 17})) {
    const MergeShape shape{{tiles * kAttentionTile, 1}, 3, 34, 2};
    const MergeCase merge = merge_tiles(check, shape);
    check.expect_equal("out", merge.expected, merge.answer.floats("out"));
  }
}

LAB_CHECK("lab02.t3.c2") {
  for (const int64_t length : check.sizes({1, 63, 64, 65, 127, 128, 129, 300})) {
    expect_engine_bits<bf16>(check, {last_rows({length}), 4, 2, 24, NumberType::bf16, 4.0f, 0, true});
  }
  expect_engine_bits<fp16>(check, {last_rows({131}), 3, 1, 32, NumberType::fp16, 4.0f});
  expect_engine_bits<float>(check, {last_rows({131}), 3, 3, 66, NumberType::fp32, 4.0f});
}

LAB_CHECK("lab02.t3.c3") {
  expect_engine_bits<bf16>(check, {last_rows({130, 1, 64, 65}), 4, 2, 16, NumberType::bf16, 4.0f, 1, true});
  std::vector<Row> chunk;  // positions 60 ... 67 of one sequence, and a token of another
  for (int32_t position = 60; position < 68; ++position) chunk.push_back({1, position});
  chunk.push_back({0, 99});
  expect_engine_bits<bf16>(check, {chunk, 2, 1, 32, NumberType::bf16, 4.0f, 0, true});
}

LAB_CHECK("lab02.t3.c4") {
  for (const MergeShape& shape : {MergeShape{{1}, 1, 2}, MergeShape{{200, 3, 65}, 5, 128, 1}}) {
    const MergeCase merge = merge_tiles(check, shape);
    check.expect_no_findings(merge.answer);
    check.expect_equal("out", merge.expected, merge.answer.floats("out"));
  }
}

LAB_CHECK("lab02.t3.c5") {
  const MergeShape shape{{8 * kAttentionTile}, 8, 64};
  const MergeCase merge = merge_tiles(check, shape);
  check.expect_equal("out", merge.expected, merge.answer.floats("out"));
  check.step("the simulator counts the sectors that loads move");
  const int64_t states = shape.heads * tiles_of(shape.lengths[0]);
  constexpr int64_t kWarps = 2;  // of a head, with a thread for each of its 64 elements; a state fills one sector
  const int64_t needed = states * shape.head_dim * int64_t(sizeof(float)) / kSectorBytes + states * kWarps;
  check.expect_at_most("sectors moved by loads", needed * 3 / 2, merge.answer.integer("global_load.moved"));
}

LAB_QUESTION("lab02.q2") {
  const Prepared<bf16> ready = prepare<bf16>(check, "decode_attention", {last_rows({256}), 8, 2, 64}, false);
  return double(check.call(ready.message).integer("global_load.moved") * kSectorBytes);
}
