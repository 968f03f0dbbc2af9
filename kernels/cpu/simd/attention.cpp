/// @file
/// Causal softmax attention, shared among threads without changing the order of a single addition.
///
/// Rows of one sequence that stand together form a block: for each KV head and each tile the block's keys and values
/// are widened once, for all its rows and all query heads of the group. Two ways to share the work:
///
/// - many rows: an item is (block, KV head) and walks its tiles in order, merging as it goes;
/// - few rows (decoding): that would be too few items, so an item is (block, KV head, tile). Each leaves its tile's
///   softmax states in scratch memory, and they are merged in the order of the tiles afterwards, in rounds of so many
///   tiles as the scratch memory holds.
///
/// Every tile has its own state in either case, so both give the same bits (R3).
#include <algorithm>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/simd/attention.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/cpu/simd/attention_tile-inl.h"
#include "kernels/cpu/simd/operations-inl.h"
#include "kernels/cpu/thread_pool.h"

#if STAGECRAFT_FUSED_TARGET
HWY_BEFORE_NAMESPACE();
namespace stagecraft::cpu::HWY_NAMESPACE {
namespace {

/// Queries of a block, over all heads of a group: enough to make the widening of a tile cheap.
constexpr int kBlockQueries = 48;

/// Up to so many rows each tile is an item of its own.
constexpr int kMostRowsByTile = 64;
constexpr int64_t kScratchFloats = 1024 * 1024;

struct RowBlock {
  int first, last;
};

std::vector<RowBlock> make_blocks(const RaggedRows& who, const AttentionShape& shape) {
  const int most_rows = std::max(1, kBlockQueries * shape.kv_heads / shape.heads);
  std::vector<RowBlock> blocks;
  for (int s = 0; s < who.sequences; ++s) {
    for (int row = who.query_start[s]; row < who.query_start[s + 1]; row += most_rows) {
      blocks.push_back({row, std::min(row + most_rows, int(who.query_start[s + 1]))});
    }
  }
  return blocks;
}

/// Everything that stays the same during one call. Kv: a StoredKv.
template <class Kv>
struct Pass {
  const float* q;
  const Kv& kv;
  const RaggedRows& who;
  float* out;
  const AttentionShape& shape;

  int group() const { return shape.heads / shape.kv_heads; }
  /// Of a block: its rows times the heads of a group.
  int most_queries() const { return std::max(kBlockQueries, group()); }

  KeyRange visible(int row) const {
    const int64_t end = int64_t(who.positions[row]) + 1;
    return {shape.window == kNoWindow ? 0 : std::max<int64_t>(0, end - shape.window), end};
  }

  /// What a row sees of a tile; first >= last: nothing.
  KeyRange visible(int row, int64_t tile_start) const {
    const KeyRange keys = visible(row);
    return {std::max(keys.first, tile_start), std::min(keys.last, tile_start + kAttentionTile)};
  }

  /// What any row of a block sees.
  KeyRange visible(RowBlock block) const {
    KeyRange all = visible(block.first);
    for (int row = block.first + 1; row < block.last; ++row) {
      const KeyRange keys = visible(row);
      all = {std::min(all.first, keys.first), std::max(all.last, keys.last)};
    }
    return all;
  }

  int64_t query(int row, int head) const { return (int64_t(row) * shape.heads + head) * shape.head_dim; }
};

bool is_first_tile(KeyRange visible, int64_t tile_start) { return visible.first >= tile_start; }

/// One thread's memory: a tile, and what the queries of a block make of its keys (their weights lie where a state has its
/// values).
struct TileScratch {
  KvTile tile;
  float* weights;

  static int64_t floats(int head_dim, int queries) {
    return KvTile::floats(head_dim) + queries * StoredState::floats(kAttentionTile);
  }
  TileScratch(float* memory, int head_dim) : tile(memory, head_dim), weights(memory + KvTile::floats(head_dim)) {}
  StoredState of_query(int query) const { return {weights + query * StoredState::floats(kAttentionTile)}; }
};

/// The states of a block's queries for one tile, each written to `state_of(row, head)` and then handed to done(row,
/// head). Rows that see nothing of the tile are left out. First all queries read the keys, then all read the values: one
/// of the two fits the L1 cache.
template <class Kv, class StateOf, class Done>
void attend_block(const Pass<Kv>& pass, RowBlock block, int kv_head, int64_t tile_start, KeyRange block_keys,
                  const TileScratch& scratch, const StateOf& state_of, const Done& done) {
  const KeyRange range{std::max(block_keys.first, tile_start), std::min(block_keys.last, tile_start + kAttentionTile)};
  const KvTile& tile = scratch.tile;
  load_tile(pass.kv, pass.who.sequence[block.first], kv_head, pass.shape, tile_start, range, tile);
  const auto for_queries = [&](const auto& use) {
    int query = 0;
    for (int row = block.first; row < block.last; ++row) {
      const KeyRange keys = pass.visible(row, tile_start);
      if (keys.first >= keys.last) continue;
      for (int head = kv_head * pass.group(); head < (kv_head + 1) * pass.group(); ++head) {
        use(row, head, int(keys.first - tile_start), int(keys.last - tile_start), scratch.of_query(query++));
      }
    }
  };
  for_queries([&](int row, int head, int first, int last, StoredState weights) {
    const float* q = pass.q + pass.query(row, head);
    weights.set(weigh_keys(q, tile, pass.shape, first, last, weights.values()));
  });
  for_queries([&](int row, int head, int first, int last, StoredState weights) {
    const StoredState state = state_of(row, head);
    state.set(weights.get());
    weigh_values(weights.values(), tile.values, padded_dim(pass.shape.head_dim), first, last, state.values());
    done(row, head);
  });
}

/// Takes a tile's state into a query's running one.
void take_in(const StoredState& running, const StoredState& tile, bool first, int head_dim) {
  if (first) {
    std::copy_n(tile.memory, StoredState::floats(head_dim), running.memory);
    return;
  }
  SoftmaxState state = running.get();
  const MergeWeights weights = merge(state, tile.get());
  running.set(state);
  merge_values(running.values(), tile.values(), weights, padded_dim(head_dim));
}

void finish(const StoredState& running, float* out, int head_dim) {
  const float sum = running.get().sum;
  int i = 0;
  for (; i + kLanes <= head_dim; i += kLanes) {
    hn::StoreU(hn::Div(widen(running.values() + i), hn::Set(Floats(), sum)), Floats(), out + i);
  }
  for (; i < head_dim; ++i) out[i] = running.values()[i] / sum;
}

/// One thread's memory for all tiles of a block: the running states of its queries, and one more for a tile.
struct BlockScratch {
  TileScratch tile;
  float* states;

  static int64_t floats(int head_dim, int queries) {
    return TileScratch::floats(head_dim, queries) + (queries + 1) * StoredState::floats(head_dim);
  }
  BlockScratch(float* memory, int head_dim, int queries)
      : tile(memory, head_dim), states(memory + TileScratch::floats(head_dim, queries)) {}
};

/// All tiles of a block, in order.
template <class Kv>
void attend_all_tiles(const Pass<Kv>& pass, RowBlock block, int kv_head, const BlockScratch& scratch) {
  const int dim = pass.shape.head_dim, group = pass.group();
  const StoredState tile_state{scratch.states};
  const auto running = [&](int row, int head) {
    const int query = (row - block.first) * group + head - kv_head * group;
    return StoredState{scratch.states + (query + 1) * StoredState::floats(dim)};
  };
  const KeyRange keys = pass.visible(block);
  for (int64_t tile = keys.first / kAttentionTile * kAttentionTile; tile < keys.last; tile += kAttentionTile) {
    attend_block(
        pass, block, kv_head, tile, keys, scratch.tile, [&](int, int) { return tile_state; },
        [&](int row, int head) {
          take_in(running(row, head), tile_state, is_first_tile(pass.visible(row), tile), dim);
        });
  }
  for (int row = block.first; row < block.last; ++row) {
    for (int head = kv_head * group; head < (kv_head + 1) * group; ++head) {
      finish(running(row, head), pass.out + pass.query(row, head), dim);
    }
  }
}

template <class Kv>
void attend_by_block(const Pass<Kv>& pass, const std::vector<RowBlock>& blocks, ThreadPool& pool) {
  const int kv_heads = pass.shape.kv_heads;
  const int queries = pass.most_queries();
  const auto floats = size_t(BlockScratch::floats(pass.shape.head_dim, queries));
  for (int thread = 0; thread < pool.threads(); ++thread) pool.scratch(thread).floats(floats);
  pool.run(int64_t(blocks.size()) * kv_heads, [&](int64_t item, int thread) {
    // Late rows see most keys: they come first, so that the last items are short.
    const RowBlock block = blocks[blocks.size() - 1 - size_t(item / kv_heads)];
    const BlockScratch scratch(pool.scratch(thread).floats(floats), pass.shape.head_dim, queries);
    attend_all_tiles(pass, block, int(item % kv_heads), scratch);
  });
}

/// Tiles of one round when each is an item of its own.
int64_t tiles_in_round(const AttentionShape& shape, int rows, int longest_kv) {
  const int64_t tiles = (int64_t(longest_kv) + kAttentionTile - 1) / kAttentionTile;
  const int64_t floats_per_tile = int64_t(rows) * shape.heads * StoredState::floats(shape.head_dim);
  return std::clamp<int64_t>(kScratchFloats / floats_per_tile, 1, tiles);
}

template <class Kv>
void attend_by_tile(const Pass<Kv>& pass, const std::vector<RowBlock>& blocks, float* scratch, ThreadPool& pool) {
  const AttentionShape& shape = pass.shape;
  const int64_t round = tiles_in_round(shape, pass.who.rows, pass.who.longest_kv);
  const int64_t state_floats = StoredState::floats(shape.head_dim);
  // scratch: (1 + round, rows, heads) states, the running ones first
  const auto state_at = [&](int64_t place, int row, int head) {
    return StoredState{scratch + ((place * pass.who.rows + row) * shape.heads + head) * state_floats};
  };
  const auto floats = size_t(TileScratch::floats(shape.head_dim, pass.most_queries()));
  for (int thread = 0; thread < pool.threads(); ++thread) pool.scratch(thread).floats(floats);
  const int64_t tiles_in_all = (int64_t(pass.who.longest_kv) + kAttentionTile - 1) / kAttentionTile;
  for (int64_t first = 0; first < tiles_in_all; first += round) {
    const int64_t tiles = std::min(round, tiles_in_all - first);
    pool.run(int64_t(blocks.size()) * shape.kv_heads * tiles, [&](int64_t item, int thread) {
      const RowBlock block = blocks[size_t(item / (shape.kv_heads * tiles))];
      const int kv_head = int(item / tiles % shape.kv_heads);
      const int64_t place = item % tiles, tile_start = (first + place) * kAttentionTile;
      const KeyRange keys = pass.visible(block);
      if (tile_start >= keys.last || tile_start + kAttentionTile <= keys.first) return;
      const TileScratch tile(pool.scratch(thread).floats(floats), shape.head_dim);
      attend_block(
          pass, block, kv_head, tile_start, keys, tile,
          [&](int row, int head) { return state_at(1 + place, row, head); }, [](int, int) {});
    });
    for (int row = 0; row < pass.who.rows; ++row) {
      for (int64_t place = 0; place < tiles; ++place) {
        const int64_t tile_start = (first + place) * kAttentionTile;
        const KeyRange keys = pass.visible(row, tile_start);
        if (keys.first >= keys.last) continue;
        for (int head = 0; head < shape.heads; ++head) {
          take_in(state_at(0, row, head), state_at(1 + place, row, head), is_first_tile(pass.visible(row), tile_start),
                  shape.head_dim);
        }
      }
    }
  }
  for (int row = 0; row < pass.who.rows; ++row) {
    for (int head = 0; head < shape.heads; ++head) {
      finish(state_at(0, row, head), pass.out + pass.query(row, head), shape.head_dim);
    }
  }
}

}  // namespace

int64_t attention_scratch(const AttentionShape& shape, int rows, int longest_kv) {
  if (rows > kMostRowsByTile) return 0;
  return (1 + tiles_in_round(shape, rows, longest_kv)) * rows * shape.heads * StoredState::floats(shape.head_dim);
}

void attention(const float* q, KvView kv, const RaggedRows& who, float* out, const AttentionShape& shape,
               float* scratch, Stream stream) {
  ThreadPool& pool = *static_cast<ThreadPool*>(stream.handle);
  const std::vector<RowBlock> blocks = make_blocks(who, shape);
  with_stored_kv(kv, [&]<class Kv>(const Kv& stored) {
    const Pass<Kv> pass{q, stored, who, out, shape};
    if (who.rows > kMostRowsByTile) {
      attend_by_block(pass, blocks, pool);
    } else {
      attend_by_tile(pass, blocks, scratch, pool);
    }
  });
}

}  // namespace stagecraft::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // STAGECRAFT_FUSED_TARGET
