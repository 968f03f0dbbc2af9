/// @file
/// Lab 5, task 1: scripts of operations on a pool and on block tables, replayed on a model.
#include "labs/lab05_paged_attention/runner/scripts.h"
#include "labs/lab05_paged_attention/tests/replay.h"

namespace {

using namespace lab05::replay;
using lab05::scripts::kNothing;
using lab05::scripts::kRefused;
using lab05::scripts::Op;
using stagecraft::labs::Check;
using stagecraft::labs::Message;

struct Operation {
  int64_t op, which, argument;
};

struct Script {
  int64_t blocks, block_size = 1, tables = 0;
  std::vector<Operation> operations = {};

  void add(int64_t op, int64_t which = 0, int64_t argument = 0) { operations.push_back({op, which, argument}); }
  Numbers numbers() const {
    Numbers numbers;
    for (const Operation& one : operations) numbers.insert(numbers.end(), {one.op, one.which, one.argument});
    return numbers;
  }
  std::string input() const {
    return tables == 0 ? fmt::format("a pool of {} blocks", blocks)
                       : fmt::format("a pool of {} blocks of {} tokens, {} tables", blocks, block_size, tables);
  }
};

/// Compares the trace of a script, operation by operation, with a model.
class Replay {
 public:
  Replay(Check& check, const Script& script) : script_(script), steps_(check), model_(script.blocks) {
    tables_.resize(size_t(script.tables));
    const Message answer = check.call(Message("pool")
                                          .set("blocks", script.blocks)
                                          .set("block_size", script.block_size)
                                          .set("tables", script.tables)
                                          .set("script", script.numbers()));
    Trace trace(answer.integers("trace"));
    for (const Operation& one : script.operations) {
      const int64_t result = trace.next();
      const PoolState state = PoolState::read(trace, script.blocks);
      std::vector<Numbers> tables;
      for (int64_t i = 0; i < script.tables; ++i) tables.push_back(trace.list());
      play(one, result, tables);
      steps_.expect(state == model_.state(), script.input(), model_.state().text(), state.text());
    }
  }

 private:
  void expect(bool holds, const std::string& expected, const std::string& got) {
    steps_.expect(holds, script_.input(), expected, got);
  }

  void play(const Operation& one, int64_t result, const std::vector<Numbers>& tables) {
    switch (one.op) {
      case Op::take:
        return take(result);
      case Op::grow:
        return grow(one, result, tables);
      case Op::give_back:
        steps_.add("give_back(pool, table {}, keep = {})", one.which, one.argument == 1);
        for (Numbers& table = tables_[size_t(one.which)]; !table.empty(); table.pop_back()) {
          model_.release(table.back(), one.argument == 1);
        }
        return same_tables(tables);
      case Op::fork:
        steps_.add("table {} becomes a copy of table {}, all of whose blocks are shared", one.argument, one.which);
        for (const int64_t block : tables_[size_t(one.which)]) model_.share(block);
        tables_[size_t(one.argument)] = tables_[size_t(one.which)];
        return same_tables(tables);
      default:
        return change(one, result);
    }
  }

  void take(int64_t result) {
    steps_.add("take_free() gives {}", result == kNothing ? "nothing" : fmt::format("block {}", result));
    const std::string got = result == kNothing ? "nothing" : model_.what_is(result);
    if (model_.free() == 0) {
      expect(result == kNothing, "nothing: no block is free", got);
    } else {
      expect(model_.is_free(result), "a block that is free", got);
      model_.take(result);
    }
    taken_.push_back(result);
  }

  void change(const Operation& one, int64_t result) {
    const bool by_id = one.op >= Op::share_id;
    const int64_t op = by_id ? one.op - Op::share_id + Op::share : one.op;
    const int64_t block = by_id ? one.which : taken_.at(size_t(one.which));
    const char* const names[] = {"share", "release", "discard"};
    const std::string name = names[op - Op::share];
    const std::string call = op == Op::release ? fmt::format("release({}, keep = {})", block, one.argument == 1)
                                               : fmt::format("{}({})", name, block);
    steps_.add("{}", call);
    const bool fine = model_.is_block(block) && (op == Op::share     ? !model_.is_free(block)
                                                 : op == Op::release ? model_.is_held(block)
                                                                     : model_.is_cached(block));
    expect(result == (fine ? 0 : kRefused), fine ? call + " is done" : call + " is refused: std::logic_error",
           result == kRefused ? "it is refused" : fmt::format("it is done to {}", model_.what_is(block)));
    if (!fine) return;
    if (op == Op::share) model_.share(block);
    if (op == Op::release) model_.release(block, one.argument == 1);
    if (op == Op::discard) model_.discard(block);
  }

  void grow(const Operation& one, int64_t result, const std::vector<Numbers>& tables) {
    steps_.add("grow(pool, table {} of {} blocks, {}, upto = {})", one.which, tables_[size_t(one.which)].size(),
               script_.block_size, one.argument);
    Numbers& mine = tables_[size_t(one.which)];
    const int64_t all = (one.argument + script_.block_size - 1) / script_.block_size;
    const int64_t missing = std::max<int64_t>(all - int64_t(mine.size()), 0);
    const bool fits = missing <= model_.free();
    expect(result == fits,
           fits ? "true" : fmt::format("false: {} blocks are missing, {} are free", missing, model_.free()),
           result == 1 ? "true" : "false");
    const Numbers& now = tables[size_t(one.which)];
    const int64_t length = int64_t(mine.size()) + (fits ? missing : 0);
    expect(int64_t(now.size()) == length, fmt::format("a table of {} blocks", length),
           fmt::format("a table of {} blocks", now.size()));
    for (size_t i = 0; i < now.size(); ++i) {
      if (i < mine.size()) {
        expect(now[i] == mine[i], fmt::format("block {} of the table stays {}", i, mine[i]), fmt::format("{}", now[i]));
        continue;
      }
      expect(model_.is_free(now[i]), "a block that is free", model_.what_is(now[i]));
      model_.take(now[i]);
      mine.push_back(now[i]);
    }
    same_tables(tables);
  }

  void same_tables(const std::vector<Numbers>& tables) {
    for (size_t i = 0; i < tables.size(); ++i) {
      expect(tables[i] == tables_[i], fmt::format("table {}: {}", i, listed(tables_[i])),
             fmt::format("table {}: {}", i, listed(tables[i])));
    }
  }

  const Script& script_;
  Steps steps_;
  PoolModel model_;
  std::vector<Numbers> tables_;
  Numbers taken_;
};

/// What a script has done to the blocks that it took: enough to know what it may do next.
class HandleBooks {
 public:
  HandleBooks(Check& check, int64_t blocks) : check_(check), free_(blocks) {}

  void random_step(Script& script) {
    const int64_t which = handles_.empty() ? 0 : check_.random().below(uint32_t(handles_.size()));
    Handle* const handle = handles_.empty() ? nullptr : &handles_[size_t(which)];
    const int64_t choice = check_.random().below(8);
    if (choice < 3 || !handle) {
      script.add(Op::take);
      handles_.push_back({free_ > 0 ? 1 : 0, false});
      free_ -= free_ > 0;
    } else if (choice < 5 && (handle->references > 0 || handle->cached)) {
      script.add(Op::share, which);
      ++handle->references;
      handle->cached = false;
    } else if (handle->references > 0) {
      const bool keep = check_.random().below(2) == 1;
      script.add(Op::release, which, keep);
      if (--handle->references > 0) return;
      handle->cached = keep;
      free_ += !keep;
    } else if (handle->cached) {
      script.add(Op::discard, which);
      handle->cached = false;
      ++free_;
    }
  }

 private:
  struct Handle {
    int64_t references;
    bool cached;
  };

  Check& check_;
  int64_t free_;
  std::vector<Handle> handles_;
};

/// Blocks in every state, then everything that must be refused.
Script misuse() {
  Script script{.blocks = 5};
  for (int i = 0; i < 4; ++i) script.add(Op::take);
  script.add(Op::share, 0);
  script.add(Op::release, 1, 0);  // free now
  script.add(Op::release, 2, 1);  // cached now
  script.add(Op::share, 1);       // of a free block
  script.add(Op::release, 1, 0);  // twice
  script.add(Op::release, 1, 1);
  script.add(Op::release, 2, 0);  // of a cached block
  script.add(Op::discard, 0);     // of a held block
  script.add(Op::discard, 1);     // of a free block
  for (const int64_t id : {-1, 5, 1000000}) {
    for (const int64_t op : {Op::share_id, Op::release_id, Op::discard_id}) script.add(op, id);
  }
  script.add(Op::discard, 2);
  script.add(Op::discard, 2);  // twice
  script.add(Op::release, 0, 0);
  script.add(Op::release, 0, 0);
  script.add(Op::release, 0, 0);  // held twice, released three times
  return script;
}

Message grown(Check& check, int64_t blocks, int64_t block_size, const Numbers& lengths) {
  Script script{.blocks = blocks, .block_size = block_size, .tables = 1};
  for (const int64_t length : lengths) script.add(Op::grow, 0, length);
  return check.call(Message("pool")
                        .set("blocks", blocks)
                        .set("block_size", block_size)
                        .set("tables", int64_t{1})
                        .set("script", script.numbers()));
}

}  // namespace

LAB_CHECK("lab05.t1.c1") {
  for (const int64_t blocks : check.sizes({1, 2, 31, 32, 33, 128})) {
    Script script{.blocks = blocks};
    for (int64_t i = 0; i < blocks + 2; ++i) script.add(Op::take);
    const Replay replay(check, script);
  }
}

LAB_CHECK("lab05.t1.c2") {
  for (const int64_t blocks : check.sizes({1, 2, 7, 33})) {
    Script script{.blocks = blocks};
    HandleBooks books(check, blocks);
    for (int i = 0; i < 300; ++i) books.random_step(script);
    const Replay replay(check, script);
  }
}

LAB_CHECK("lab05.t1.c3") { const Replay replay(check, misuse()); }

LAB_CHECK("lab05.t1.c4") {
  for (const int64_t block_size : {1, 4, 16}) {
    for (const int64_t blocks : check.sizes({1, 9, 33})) {
      constexpr int64_t kTables = 3;
      Script script{.blocks = blocks, .block_size = block_size, .tables = kTables};
      script.add(Op::grow, 0, 0);
      for (int i = 0; i < 40; ++i) {
        const int64_t upto = check.random().below(uint32_t(blocks * block_size / 2 + 2));
        script.add(Op::grow, check.random().below(kTables), upto);
      }
      script.add(Op::grow, 0, blocks * block_size + 1);
      script.add(Op::grow, 1, 0);
      const Replay replay(check, script);
    }
  }
}

LAB_CHECK("lab05.t1.c5") {
  constexpr int64_t kTables = 4, kBlocks = 24, kBlockSize = 4;
  Script script{.blocks = kBlocks, .block_size = kBlockSize, .tables = kTables};
  std::vector<bool> used(kTables, false);
  for (int i = 0; i < 60; ++i) {
    const int64_t table = check.random().below(kTables), other = check.random().below(kTables);
    if (!used[size_t(table)]) {
      script.add(Op::grow, table, 1 + check.random().below(20));
    } else if (table != other && !used[size_t(other)]) {
      script.add(Op::fork, table, other);
      used[size_t(other)] = true;
    } else {
      script.add(Op::give_back, table, check.random().below(2));
    }
    used[size_t(table)] = script.operations.back().op != Op::give_back;
  }
  const Replay replay(check, script);
}

LAB_QUESTION("lab05.q1") {
  constexpr int64_t kBlocks = 32;
  const Message answer = grown(check, kBlocks, 16, {100});
  return double(kBlocks - answer.integers("trace").at(1));
}

LAB_QUESTION("lab05.q2") {
  constexpr int64_t kBlocks = 64, kBlockSize = 16;
  Numbers lengths;
  for (int64_t length = 1; length <= kBlocks * kBlockSize; ++length) lengths.push_back(length);
  const Message answer = grown(check, kBlocks, kBlockSize, lengths);
  Trace trace(answer.integers("trace"));
  double empty = 0;
  for (const int64_t length : lengths) {
    (void)trace.next();
    (void)PoolState::read(trace, kBlocks);
    empty += double(int64_t(trace.list().size()) * kBlockSize - length);
  }
  return empty / double(lengths.size());
}
