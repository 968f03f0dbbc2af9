/// @file
/// The model below stages 5 and 6: passes behind a block table have the logits and the keys and values of passes over one
/// run of slots (T4), wrong tables are told apart from right ones, blocks are copied in all layers, and drafts are judged
/// by the tokens that were drawn last.
#include <cstring>

#include "tests/catch.h"
#include "tests/kernels/kernel_cases.h"
#include "tests/stages/test_devices.h"
#include "tests/stages/test_model.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

constexpr int kPoolSlots = 1024;
constexpr int32_t kRegion = 300;  // slots of a sequence, if contiguous

/// Rows [first, tokens.size()) of a sequence, and where its blocks are.
struct Piece {
  std::vector<TokenId> tokens;
  int32_t first;
  std::vector<int32_t> blocks;
};

/// Logits are wanted for all rows. `block_size` 0: one run of slots a sequence.
ForwardBatch batch_of(const std::vector<Piece>& pieces, int32_t block_size) {
  ForwardBatch batch;
  batch.query_start = {0};
  batch.block_size = block_size;
  for (const Piece& piece : pieces) batch.table_stride = std::max(batch.table_stride, int32_t(piece.blocks.size()));
  for (size_t s = 0; s < pieces.size(); ++s) {
    const Piece& piece = pieces[s];
    for (int32_t p = piece.first; p < int32_t(piece.tokens.size()); ++p) {
      batch.logit_rows.push_back(batch.rows());
      batch.tokens.push_back(piece.tokens[size_t(p)]);
      batch.positions.push_back(p);
      batch.slots.push_back(block_size == 0
                                ? int64_t(s) * kRegion + p
                                : int64_t(piece.blocks[size_t(p / block_size)]) * block_size + p % block_size);
    }
    batch.query_start.push_back(batch.rows());
    if (block_size == 0) {
      batch.first_slot.push_back(int64_t(s) * kRegion);
      continue;
    }
    std::vector<int32_t> row = piece.blocks;
    row.resize(size_t(batch.table_stride), kNoBlock);
    batch.block_table.insert(batch.block_table.end(), row.begin(), row.end());
  }
  if (block_size == 0) batch.table_stride = 0;
  return batch;
}

std::vector<TokenId> some_tokens(int count, uint32_t seed, const ModelConfig& config) {
  RandomNumbers random{seed};
  std::vector<TokenId> tokens;
  for (int i = 0; i < count; ++i) tokens.push_back(TokenId(random.below(config.vocabulary)));
  return tokens;
}

/// So many blocks of the pool, in random order.
std::vector<int32_t> some_blocks(int32_t block_size, uint32_t seed) {
  std::vector<int32_t> ids(size_t(kPoolSlots / block_size));
  std::iota(ids.begin(), ids.end(), 0);
  std::shuffle(ids.begin(), ids.end(), std::mt19937(seed));
  return ids;
}

/// The tokens' keys and values in all layers, wherever they lie.
std::vector<std::byte> stored(TestModel& on, const KvPool& pool, const std::vector<int64_t>& slots) {
  const std::vector<std::byte> all = bytes_of_pool(on.device(), pool);
  const int64_t planes = 2 * on.config().layers, plane = pool.bytes() / planes, slot_bytes = plane / pool.slots();
  std::vector<std::byte> bytes;
  for (int64_t p = 0; p < planes; ++p) {
    for (const int64_t slot : slots) {
      const auto begin = all.begin() + p * plane + slot * slot_bytes;
      bytes.insert(bytes.end(), begin, begin + slot_bytes);
    }
  }
  return bytes;
}

/// What two passes over two sequences leave behind: chunks of both, then all the rest.
struct TwoPasses {
  std::vector<float> logits;
  std::vector<std::byte> kv;
};

TwoPasses two_passes(TestModel& on, int32_t block_size) {
  const std::vector<TokenId> a = some_tokens(70, 1, on.config()), b = some_tokens(33, 2, on.config());
  std::vector<int32_t> blocks_a, blocks_b;
  if (block_size != 0) {
    const std::vector<int32_t> ids = some_blocks(block_size, 3);
    const auto middle = ids.begin() + (70 + block_size - 1) / block_size;
    blocks_a.assign(ids.begin(), middle);
    blocks_b.assign(middle, middle + (33 + block_size - 1) / block_size);
  }
  KvPool pool = on.poisoned_pool(NumberType::bf16, kPoolSlots);
  TwoPasses result;
  std::vector<int64_t> slots;
  const auto forward = [&](const ForwardBatch& batch) {
    on.model().forward(batch, pool);
    const std::vector<float> logits = on.model().copy_logits();
    result.logits.insert(result.logits.end(), logits.begin(), logits.end());
    slots.insert(slots.end(), batch.slots.begin(), batch.slots.end());
  };
  forward(
      batch_of({{{a.begin(), a.begin() + 61}, 0, blocks_a}, {{b.begin(), b.begin() + 32}, 0, blocks_b}}, block_size));
  forward(batch_of({{a, 61, blocks_a}, {b, 32, blocks_b}}, block_size));
  result.kv = stored(on, pool, slots);
  return result;
}

/// A right pass in blocks of 16, for tests that break it.
ForwardBatch right_batch(TestModel& on) { return batch_of({{some_tokens(40, 5, on.config()), 30, {7, 3, 20}}}, 16); }

void check_refused(const ForwardBatch& batch) {
  TestModel& on = tales_400k();
  KvPool pool = on.poisoned_pool(NumberType::bf16, kPoolSlots);
  CHECK_THROWS_AS(on.model().forward(batch, pool), std::logic_error);
}

}  // namespace

TEST_CASE("T4: passes behind a block table leave the logits, keys and values of passes over one run of slots",
          "[stages][paging]") {
  const auto check_on = [](const std::string& device, const std::vector<int32_t>& block_sizes) {
    TestModel on("models/tales-400k", device);
    const TwoPasses contiguous = two_passes(on, 0);
    for (const int32_t block_size : block_sizes) {
      INFO(device << ", blocks of " << block_size);
      const TwoPasses in_blocks = two_passes(on, block_size);
      CHECK(first_difference(contiguous.logits, in_blocks.logits) == "");
      CHECK(contiguous.kv == in_blocks.kv);
    }
  };
  check_on("cpu", {std::begin(kBlockSizes), std::end(kBlockSizes)});
  if (device_names().back() == "sim") check_on("sim", {16});
}

TEST_CASE("a block table that cannot be right is refused before anything is computed", "[stages][paging]") {
  TestModel& on = tales_400k();
  KvPool pool = on.poisoned_pool(NumberType::bf16, kPoolSlots);
  ForwardBatch batch = right_batch(on);
  on.model().forward(batch, pool);  // the control: as it is, it is accepted

  batch.block_table[1] = kPoolSlots / 16;  // read by attention, though no row of this pass is stored there
  check_refused(batch);
  batch = right_batch(on);
  batch.block_table[1] = -1;
  check_refused(batch);
  batch = right_batch(on);
  batch.block_table[2] = 21;  // a row is stored in block 20
  check_refused(batch);
  batch = right_batch(on);
  batch.block_table.pop_back();
  batch.table_stride = 2;  // no block for positions from 32 on
  check_refused(batch);
  batch = right_batch(on);
  batch.block_table.push_back(1);
  check_refused(batch);
  for (const int32_t size : {-16, 12}) {
    batch = right_batch(on);
    batch.block_size = size;
    check_refused(batch);
  }
  batch = right_batch(on);
  batch.first_slot = {0};  // both forms
  check_refused(batch);
  batch = batch_of({{some_tokens(40, 5, on.config()), 30, {}}}, 0);
  batch.first_slot = {kPoolSlots - 39};  // one slot too far
  check_refused(batch);
  batch.first_slot = {1};  // rows are stored elsewhere
  check_refused(batch);
}

TEST_CASE("blocks are copied in the keys and values of all layers", "[stages][paging]") {
  for (const std::string& device : device_names()) {
    INFO(device);
    TestModel on("models/tales-400k", device);
    KvPool pool = on.poisoned_pool(NumberType::bf16, kPoolSlots);
    const ForwardBatch batch = batch_of({{some_tokens(40, 5, on.config()), 0, {7, 3, 20}}}, 16);
    on.model().forward(batch, pool);
    const std::vector<BlockCopy> copies = {{7, 8}, {20, 0}, {7, 63}};
    pool.copy_blocks(on.device(), copies, 16);
    on.device().synchronize();
    for (const BlockCopy& copy : copies) {
      std::vector<int64_t> from, to;
      for (int64_t i = 0; i < 16; ++i) {
        from.push_back(copy.from * 16 + i);
        to.push_back(copy.to * 16 + i);
      }
      CHECK(stored(on, pool, from) == stored(on, pool, to));
    }
  }
}

TEST_CASE("copies that depend on their order, or leave the pool, are refused", "[stages][paging]") {
  TestModel& on = tales_400k();
  KvPool pool = on.poisoned_pool(NumberType::bf16, kPoolSlots);
  const auto copy = [&](const std::vector<BlockCopy>& copies) { pool.copy_blocks(on.device(), copies, 16); };
  CHECK_NOTHROW(copy({}));
  CHECK_NOTHROW(copy({{0, 63}}));
  CHECK_THROWS_AS(copy({{0, 1}, {1, 2}}), std::logic_error);
  CHECK_THROWS_AS(copy({{1, 2}, {0, 1}}), std::logic_error);
  CHECK_THROWS_AS(copy({{0, 2}, {1, 2}}), std::logic_error);
  CHECK_THROWS_AS(copy({{5, 5}}), std::logic_error);
  CHECK_THROWS_AS(copy({{0, 64}}), std::logic_error);
  CHECK_THROWS_AS(copy({{-1, 2}}), std::logic_error);
}

TEST_CASE("a draft is judged by the tokens that the last sample drew", "[stages][speculation]") {
  for (const std::string& device : device_names()) {
    INFO(device);
    TestModel on("models/tales-400k", device);
    KvPool pool = on.poisoned_pool(NumberType::bf16, kPoolSlots);
    // Two requests with rows for a token and a draft: of three tokens, and of none.
    ForwardBatch batch = batch_of({{some_tokens(20, 5, on.config()), 0, {7, 3}}, {{5}, 0, {9}}}, 16);
    batch.logit_rows = {16, 17, 18, 19, 20};
    on.model().forward(batch, pool);
    const SamplingRow greedy{0.0f, kNoTopK, 1.0f, 1, 0};
    const std::vector<TokenId> drawn = on.model().sample(std::vector<SamplingRow>(5, greedy));
    REQUIRE(std::count(drawn.begin(), drawn.end(), kNoToken) == 0);

    std::vector<TokenId> draft = {drawn[0], drawn[1], drawn[2], kNoToken, kNoToken};
    CHECK(on.model().verify(draft, {0, 4, 5}) == std::vector<int32_t>{3, 0});
    draft[1] = drawn[1] + 1;
    CHECK(on.model().verify(draft, {0, 4, 5}) == std::vector<int32_t>{1, 0});
    CHECK(on.model().verify(draft, {0, 1, 4, 5}) == std::vector<int32_t>{0, 0, 0});

    CHECK_THROWS_AS(on.model().verify({kNoToken}, {0, 1}), std::logic_error);   // not the rows that were drawn
    CHECK_THROWS_AS(on.model().verify(draft, {0, 4, 4, 5}), std::logic_error);  // a request without a row
    CHECK_THROWS_AS(on.model().verify(draft, {0, 4}), std::logic_error);
    on.model().forward(batch, pool);  // what was drawn belongs to the pass before
    CHECK_THROWS_AS(on.model().verify(draft, {0, 4, 5}), std::logic_error);
  }
}

TEST_CASE("logits come to the host row by row, the largest where greedy sampling draws", "[stages][speculation]") {
  TestModel& on = tales_400k();
  KvPool pool = on.poisoned_pool(NumberType::bf16, kPoolSlots);
  on.model().forward(batch_of({{some_tokens(10, 5, on.config()), 0, {7}}}, 16), pool);
  const std::vector<float> logits = on.model().copy_logits();
  const SamplingRow greedy{0.0f, kNoTopK, 1.0f, 1, 0};
  const std::vector<TokenId> drawn = on.model().sample(std::vector<SamplingRow>(10, greedy));
  REQUIRE(logits.size() == 10 * size_t(on.config().vocabulary));
  for (int r = 0; r < 10; ++r) {
    const std::vector<float> row = row_of(logits, r, on.config().vocabulary);
    CHECK(std::max_element(row.begin(), row.end()) - row.begin() == drawn[size_t(r)]);
  }
}
