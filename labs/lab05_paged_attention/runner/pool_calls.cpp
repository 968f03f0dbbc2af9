/// @file
/// Tasks 1, 3, 4 and 6 in the learner's process: a script of operations in, the whole trace out.
#include <stdexcept>

#include "labs/lab05_paged_attention/runner/scripts.h"
#include "labs/support/calls.h"
#include "labs/support/device_vector.h"
#include "paging.h"

namespace {

using namespace lab05;
using namespace lab05::scripts;
using stagecraft::labs::as;
using stagecraft::labs::as_integers;

/// What `call` returns, or kRefused.
template <class Call>
int64_t result_of(const Call& call) {
  try {
    return call();
  } catch (const std::logic_error&) {
    return kRefused;
  }
}

/// Free blocks, cached ones and which, and the references of each.
void add_state(const BlockPool& pool, Numbers& trace) {
  trace.push_back(pool.free_blocks());
  trace.push_back(pool.cached_blocks());
  for (const BlockId block : pool.cached()) trace.push_back(block);
  for (int64_t block = 0; block < pool.blocks(); ++block) trace.push_back(pool.references(BlockId(block)));
}

void add_list(const std::vector<BlockId>& blocks, Numbers& trace) {
  trace.push_back(int64_t(blocks.size()));
  trace.insert(trace.end(), blocks.begin(), blocks.end());
}

/// Triples (operation, which, argument). Blocks are named by the number of the `take` that gave them, tables by theirs.
Numbers play_pool(int64_t blocks, int64_t block_size, int64_t tables_used, const Numbers& script) {
  BlockPool pool(blocks);
  std::vector<BlockId> taken;
  std::vector<std::vector<BlockId>> tables{size_t(tables_used)};
  Numbers trace;
  for (size_t i = 0; i < script.size(); i += 3) {
    const int64_t op = script[i], which = script[i + 1], argument = script[i + 2];
    const bool by_id = op >= Op::share_id;
    const auto block = [&] { return by_id ? BlockId(which) : taken.at(size_t(which)); };
    const auto table = [&]() -> std::vector<BlockId>& { return tables.at(size_t(which)); };
    trace.push_back(result_of([&]() -> int64_t {
      switch (op) {
        case Op::take: {
          const std::optional<BlockId> given = pool.take_free();
          taken.push_back(given.value_or(kNothing));
          return taken.back();
        }
        case Op::share:
        case Op::share_id:
          pool.share(block());
          return 0;
        case Op::release:
        case Op::release_id:
          pool.release(block(), argument == 1);
          return 0;
        case Op::discard:
        case Op::discard_id:
          pool.discard(block());
          return 0;
        case Op::grow:
          return lab05::grow(pool, table(), block_size, argument);
        case Op::give_back:
          lab05::give_back(pool, table(), argument == 1);
          return 0;
        default:  // fork: another table of the same blocks
          for (const BlockId shared : table()) pool.share(shared);
          tables.at(size_t(argument)) = table();
          return 0;
      }
    }));
    add_state(pool, trace);
    for (const auto& one : tables) add_list(one, trace);
  }
  return trace;
}

std::vector<TokenId> tokens_at(const Numbers& script, size_t& i) {
  const size_t count = size_t(script.at(i++));
  std::vector<TokenId> tokens;
  for (size_t t = 0; t < count; ++t) tokens.push_back(TokenId(script.at(i++)));
  return tokens;
}

PrefixCache::Hash hash_named(int64_t number) {
  if (number == 0) return PrefixCache::mixed;
  return [](uint64_t, std::span<const TokenId>) { return uint64_t{7}; };
}

}  // namespace

LAB_CALL(pool) {
  out.set("trace",
          play_pool(in.integer("blocks"), in.integer("block_size"), in.integer("tables"), in.integers("script")));
}

LAB_CALL(prefix) {
  const int64_t block_size = in.integer("block_size");
  PrefixCache cache(block_size, hash_named(in.integer("hash")));
  const Numbers& script = in.integers("script");
  Numbers trace;
  for (size_t i = 0; i < script.size();) {
    const int64_t op = script[i];
    const BlockId block = BlockId(script[i + 1]), parent = BlockId(script[i + 2]);
    i += 3;
    const std::vector<TokenId> tokens = tokens_at(script, i);
    if (op == Op::insert) cache.insert(block, parent, tokens);
    if (op == Op::forget) cache.forget(block);
    if (op == Op::find) trace.push_back(cache.find(parent, tokens).value_or(kNothing));
    if (op == Op::match) add_list(cache.match(tokens), trace);
    if (op == Op::reuse) {
      const Reused reused = lab05::reuse(cache, tokens, block_size);
      trace.push_back(reused.length);
      add_list(reused.blocks, trace);
    }
  }
  out.set("trace", trace);
}

LAB_CALL(lru) {
  BlockPool pool(in.integer("blocks"));
  PrefixCache cache(in.integer("block_size"));
  const Numbers& script = in.integers("script");
  std::vector<BlockId> taken;
  Numbers trace;
  for (size_t i = 0; i < script.size();) {
    const int64_t op = script[i], which = script[i + 1];
    i += 2;
    const std::vector<TokenId> tokens = tokens_at(script, i);
    if (op == Op::take_after) {
      const std::optional<BlockId> block = take_block(pool, cache);
      taken.push_back(block.value_or(kNothing));
      trace.push_back(block && cache.knows(*block));
      if (block) cache.insert(*block, which == kNothing ? stagecraft::kNoParent : taken.at(size_t(which)), tokens);
      trace.push_back(taken.back());
    } else if (op == Op::hold) {
      pool.share(taken.at(size_t(which)));
    } else {
      pool.release(taken.at(size_t(which)), cache.knows(taken.at(size_t(which))));
    }
    add_state(pool, trace);
    for (int64_t block = 0; block < pool.blocks(); ++block) trace.push_back(cache.knows(BlockId(block)));
  }
  out.set("trace", trace);
}

LAB_CALL(store) { out.set("trace", play_store(in.integer("blocks"), in.integer("block_size"), in.integers("script"))); }

LAB_CALL(load) {
  const Served served = play_load({in.integer("blocks"), in.integer("block_size"), in.integer("watermark"),
                                   in.integer("budget"), in.integer("prefix_cache"), in.integer("most_steps"),
                                   in.integers("arrivals"), in.integers("prompts"), in.integers("outputs")});
  out.set("events", served.events);
  out.set("steps", served.steps);
  out.set("unfinished", served.unfinished);
  out.set("recomputed", served.recomputed);
  out.set("stuck", int64_t(served.stuck));
}

LAB_CALL(preemption_cost) {
  const int64_t blocks = in.integer("blocks");
  BlockPool pool(blocks);
  const std::vector<BlockId> table = as<BlockId>(in.integers("table"));
  for (int64_t i = 0; i < blocks; ++i) (void)pool.take_free();  // all of them
  const Numbers& references = in.integers("references");
  for (size_t i = 0; i < references.size(); ++i) {
    for (int64_t more = 1; more < references[i]; ++more) pool.share(BlockId(i));
  }
  const PreemptionCost cost = lab05::preemption_cost(pool, table, in.integer("computed"), in.integer("block_size"),
                                                     in.integer("prefix_cache") == 1);
  out.set("freed", cost.blocks);
  out.set("tokens", cost.tokens);
}

LAB_CALL(fault_in) {
  Books books;
  books.blocks = in.integer("blocks");
  const Numbers& tables = in.integers("tables");  // of each: length, blocks
  for (size_t i = 0; i < tables.size(); i += size_t(tables[i]) + 1) {
    books.tables.emplace_back(tables.begin() + int64_t(i) + 1, tables.begin() + int64_t(i) + 1 + tables[i]);
  }
  books.references = in.integers("references");
  books.free = as<BlockId>(in.integers("free"));
  books.cached = as<BlockId>(in.integers("cached"));
  out.set("fault", fault_in(books));
}
