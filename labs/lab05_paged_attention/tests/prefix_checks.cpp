/// @file
/// Lab 5, task 3: random scripts on a prefix cache, and on a pool behind one, against models; then the engine's own store.
#include "labs/lab05_paged_attention/runner/scripts.h"
#include "labs/lab05_paged_attention/tests/replay.h"

namespace {

using namespace lab05::replay;
using lab05::scripts::kNothing;
using lab05::scripts::Op;
using stagecraft::labs::Check;
using stagecraft::labs::Message;

constexpr int64_t kNone = -1;  // a parent, or a block that is not found

/// Tokens of two kinds, so that much is equal.
Numbers random_tokens(Check& check, int64_t count) {
  Numbers tokens;
  for (int64_t i = 0; i < count; ++i) tokens.push_back(check.random().below(2));
  return tokens;
}

std::string named(int64_t block) { return block == kNone ? "nothing" : fmt::format("block {}", block); }

/// A prefix cache as a list that is searched from end to end, and a script with what it must answer.
class PrefixScript {
 public:
  PrefixScript(Check& check, int64_t block_size, bool collide)
      : check_(check), block_size_(block_size), collide_(collide) {}

  /// A new block after a random parent, unless an equal one is known.
  void insert() {
    const int64_t parent = any_block();
    const Numbers tokens = random_tokens(check_, block_size_);
    if (found(parent, tokens) != kNone) return;
    const int64_t block = next_block_++;
    known_.push_back({block, parent, tokens});
    add(Op::insert, block, parent, tokens, fmt::format("insert({}, parent {}, {})", block, parent, listed(tokens)), "");
  }
  /// A random block that is nobody's parent.
  void forget() {
    const int64_t block = any_block();
    if (block == kNone || is_parent(block)) return;
    known_.erase(std::find_if(known_.begin(), known_.end(), [&](const Known& one) { return one.block == block; }));
    add(Op::forget, block, kNone, {}, fmt::format("forget({})", block), "");
  }
  void find() {
    const int64_t parent = any_block();
    const Numbers tokens = random_tokens(check_, block_size_);
    add(Op::find, kNone, parent, tokens, fmt::format("find(parent {}, {})", parent, listed(tokens)),
        named(found(parent, tokens)));
  }
  void match(const Numbers& tokens) {
    add(Op::match, kNone, kNone, tokens, fmt::format("match({})", listed(tokens)), "blocks " + listed(chain(tokens)));
  }
  void reuse(const Numbers& tokens) {
    Numbers blocks = chain(tokens);
    const int64_t length =
        std::min(int64_t(blocks.size()) * block_size_, std::max<int64_t>(int64_t(tokens.size()) - 1, 0));
    blocks.resize(size_t((length + block_size_ - 1) / block_size_));
    add(Op::reuse, kNone, kNone, tokens, fmt::format("reuse(cache, {}, {})", listed(tokens), block_size_),
        fmt::format("length {}, blocks {}", length, listed(blocks)));
  }

  void play() {
    const Message answer = check_.call(
        Message("prefix").set("block_size", block_size_).set("hash", int64_t(collide_)).set("script", script_));
    Trace trace(answer.integers("trace"));
    Steps steps(check_);
    const std::string input = fmt::format("a prefix cache, blocks of {} tokens, {}", block_size_,
                                          collide_ ? "a hash that is 7 for everything" : "PrefixCache::mixed");
    for (const Expected& one : expected_) {
      steps.add("{}", one.step);
      std::string got;
      if (one.op == Op::find) got = named(trace.next());
      if (one.op == Op::match) got = "blocks " + listed(trace.list());
      if (one.op == Op::reuse) {
        const int64_t length = trace.next();
        got = fmt::format("length {}, blocks {}", length, listed(trace.list()));
      }
      steps.expect(got == one.answer, input, one.answer, got);
    }
  }

  /// The tokens of a random known chain, from its beginning.
  Numbers any_chain() {
    Numbers tokens;
    for (int64_t block = any_block(); block != kNone;) {
      const Known& one = *std::find_if(known_.begin(), known_.end(), [&](const Known& k) { return k.block == block; });
      tokens.insert(tokens.begin(), one.tokens.begin(), one.tokens.end());
      block = one.parent;
    }
    return tokens;
  }

 private:
  struct Known {
    int64_t block, parent;
    Numbers tokens;
  };
  struct Expected {
    int64_t op;
    std::string step, answer;
  };

  void add(int64_t op, int64_t block, int64_t parent, const Numbers& tokens, std::string step, std::string answer) {
    script_.insert(script_.end(), {op, block, parent, int64_t(tokens.size())});
    script_.insert(script_.end(), tokens.begin(), tokens.end());
    expected_.push_back({op, std::move(step), std::move(answer)});
  }
  /// Or none.
  int64_t any_block() {
    const size_t which = size_t(check_.random().below(uint32_t(known_.size() + 1)));
    return which == known_.size() ? kNone : known_[which].block;
  }
  bool is_parent(int64_t block) const {
    return std::any_of(known_.begin(), known_.end(), [&](const Known& one) { return one.parent == block; });
  }
  int64_t found(int64_t parent, const Numbers& tokens) const {
    for (const Known& one : known_) {
      if (one.parent == parent && one.tokens == tokens) return one.block;
    }
    return kNone;
  }
  Numbers chain(const Numbers& tokens) const {
    Numbers blocks;
    int64_t parent = kNone;
    for (size_t i = 0; i + size_t(block_size_) <= tokens.size(); i += size_t(block_size_)) {
      parent = found(parent, {tokens.begin() + int64_t(i), tokens.begin() + int64_t(i) + block_size_});
      if (parent == kNone) break;
      blocks.push_back(parent);
    }
    return blocks;
  }

  Check& check_;
  int64_t block_size_;
  bool collide_;
  int64_t next_block_ = 0;
  std::vector<Known> known_;
  Numbers script_;
  std::vector<Expected> expected_;
};

/// Chains of blocks that come and go in a pool too small for all of them. Blocks are named by the number of the take.
class LruScript {
 public:
  LruScript(Check& check, int64_t blocks) : check_(check), blocks_(blocks), free_(blocks) {}

  /// A request that begins as an earlier one did, or anew, and takes some blocks more.
  void begin_request() {
    Numbers chain;
    if (!ended_.empty() && check_.random().below(2) == 1) {
      for (const int64_t handle : ended_[size_t(check_.random().below(uint32_t(ended_.size())))]) {
        if (handles_[size_t(handle)] == State::gone || check_.random().below(4) == 0) break;
        add(Op::hold, handle, fmt::format("share({{{}}})", handle));
        hold(handle);
        chain.push_back(handle);
      }
    }
    for (int64_t more = check_.random().below(4); more > 0; --more) {
      if (!take(chain)) break;
    }
    if (!chain.empty()) running_.push_back(chain);
  }
  void end_request() {
    if (running_.empty()) return;
    const auto which = running_.begin() + check_.random().below(uint32_t(running_.size()));
    const Numbers chain = *which;
    running_.erase(which);
    for (auto handle = chain.rbegin(); handle != chain.rend(); ++handle) {
      add(Op::let_go, *handle, fmt::format("release({{{}}}, keep = true)", *handle));
      if (--references_[size_t(*handle)] > 0) continue;
      handles_[size_t(*handle)] = State::cached;
      cached_.push_back(*handle);
    }
    ended_.push_back(chain);
  }

  void play();

 private:
  enum class State { held, cached, gone };
  /// What an operation does, and the list of cached blocks after it, by handles.
  struct Expected {
    int64_t op;
    std::string step;
    Numbers cached;
    int64_t evicted = kNone;  // take_after: this handle's block must be taken
    bool nothing = false;     // take_after: all are held
    int64_t free = 0;
  };

  void add(int64_t op, int64_t which, std::string step, Numbers tokens = {}) {
    script_.insert(script_.end(), {op, which, int64_t(tokens.size())});
    script_.insert(script_.end(), tokens.begin(), tokens.end());
    close_last();
    expected_.push_back({op, std::move(step), {}, kNone, false, 0});
  }
  void close_last() {
    if (expected_.empty()) return;
    expected_.back().cached = cached_;
    expected_.back().free = free_;
  }
  void hold(int64_t handle) {
    cached_.erase(std::remove(cached_.begin(), cached_.end(), handle), cached_.end());
    handles_[size_t(handle)] = State::held;
    ++references_[size_t(handle)];
  }
  bool take(Numbers& chain) {
    const int64_t handle = int64_t(handles_.size()), parent = chain.empty() ? kNone : chain.back();
    add(Op::take_after, parent, "take_block(pool, cache)", {handle});  // each block has a token of its own
    Expected& now = expected_.back();
    handles_.push_back(State::gone);
    references_.push_back(0);
    if (free_ > 0) {
      --free_;
    } else if (!cached_.empty()) {
      now.evicted = cached_.front();
      handles_[size_t(now.evicted)] = State::gone;
      cached_.erase(cached_.begin());
    } else {
      now.nothing = true;
      return false;
    }
    handles_.back() = State::held;
    references_.back() = 1;
    chain.push_back(handle);
    return true;
  }

  Check& check_;
  int64_t blocks_, free_;
  std::vector<State> handles_;
  Numbers references_, cached_, script_;
  std::vector<Numbers> running_, ended_;
  std::vector<Expected> expected_;
};

void LruScript::play() {
  close_last();
  const Message answer =
      check_.call(Message("lru").set("blocks", blocks_).set("block_size", int64_t{1}).set("script", script_));
  Trace trace(answer.integers("trace"));
  Steps steps(check_);
  const std::string input = fmt::format(
      "a pool of {} blocks of 1 token, and a prefix cache; {{n}} is the block that "
      "call n of take_block gave",
      blocks_);
  Numbers given;
  for (const Expected& one : expected_) {
    steps.add("{}", one.step);
    if (one.op == Op::take_after) {
      const bool still_known = trace.next() == 1;
      const int64_t block = trace.next();
      steps.expect(!still_known, input, fmt::format("block {} is not known to the cache any more", block),
                   "it is known, and what it held is gone");
      if (one.nothing) {
        steps.expect(block == kNone, input, "nothing: all blocks are held", named(block));
      } else if (one.evicted != kNone) {
        const int64_t oldest = given[size_t(one.evicted)];
        steps.expect(block == oldest, input, fmt::format("block {}, the first of those cached", oldest), named(block));
      } else {
        steps.expect(block != kNone, input, "a free block", "nothing");
      }
      given.push_back(block);
    }
    const PoolState state = PoolState::read(trace, blocks_);
    Numbers cached, known;
    for (const int64_t handle : one.cached) cached.push_back(given[size_t(handle)]);
    steps.expect(state.free == one.free && state.cached == cached, input,
                 fmt::format("{} free, cached {}", one.free, listed(cached)),
                 fmt::format("{} free, cached {}", state.free, listed(state.cached)));
    const Numbers knows = trace.next(blocks_);
    for (int64_t block = 0; block < blocks_; ++block) {
      const bool used =
          state.references[size_t(block)] > 0 || std::find(cached.begin(), cached.end(), block) != cached.end();
      steps.expect(knows[size_t(block)] == used, input,
                   fmt::format("block {} is {} to the cache", block, used ? "known" : "not known"),
                   used ? "it is not" : "it is known");
    }
  }
}

/// Prompts that share beginnings, served one by one and ended at random.
Numbers store_script(Check& check, int64_t requests, int64_t longest, std::vector<std::string>& steps) {
  Numbers script;
  std::vector<Numbers> prompts;
  Numbers live;
  for (int64_t id = 0; id < requests; ++id) {
    Numbers prompt;
    if (!prompts.empty() && check.random().below(3) > 0) {
      prompt = prompts[size_t(check.random().below(uint32_t(prompts.size())))];
      if (check.random().below(2) == 1) prompt.resize(size_t(check.random().below(uint32_t(prompt.size() + 1))));
    }
    const Numbers more = random_tokens(check, check.random().below(uint32_t(longest)) + (prompt.empty() ? 1 : 0));
    prompt.insert(prompt.end(), more.begin(), more.end());
    prompts.push_back(prompt);
    script.insert(script.end(), {Op::serve, id, int64_t(prompt.size())});
    script.insert(script.end(), prompt.begin(), prompt.end());
    steps.push_back(fmt::format("request {} comes with {}", id, listed(prompt)));
    live.push_back(id);
    while (!live.empty() && check.random().below(3) > 0) {
      const auto one = live.begin() + check.random().below(uint32_t(live.size()));
      script.insert(script.end(), {Op::end, *one});
      steps.push_back(fmt::format("request {} ends", *one));
      live.erase(one);
    }
  }
  return script;
}

}  // namespace

LAB_CHECK("lab05.t3.c1") {
  for (const bool collide : {false, true}) {
    for (const int64_t block_size : {1, 2, 4}) {
      PrefixScript script(check, block_size, collide);
      for (int i = 0; i < 300; ++i) {
        const int64_t choice = check.random().below(8);
        choice < 3 ? script.insert() : choice < 4 ? script.forget() : script.find();
      }
      script.play();
    }
  }
}

LAB_CHECK("lab05.t3.c2") {
  for (const int64_t block_size : {1, 3, 4, 16}) {
    PrefixScript script(check, block_size, false);
    for (int i = 0; i < 60; ++i) script.insert();
    for (int i = 0; i < 60; ++i) {
      Numbers tokens = script.any_chain();
      const Numbers more = random_tokens(check, check.random().below(uint32_t(2 * block_size + 1)));
      tokens.insert(tokens.end(), more.begin(), more.end());
      script.match(tokens);
    }
    script.match({});
    script.play();
  }
}

LAB_CHECK("lab05.t3.c3") {
  for (const int64_t block_size : {1, 4, 16}) {
    PrefixScript script(check, block_size, false);
    for (int i = 0; i < 40; ++i) script.insert();
    for (int i = 0; i < 40; ++i) {
      Numbers tokens = script.any_chain();
      script.reuse(tokens);  // all of it is known: the last token is left
      tokens.push_back(0);
      script.reuse(tokens);
    }
    script.reuse({});
    script.reuse({1});
    script.play();
  }
}

LAB_CHECK("lab05.t3.c4") {
  for (const int64_t blocks : check.sizes({1, 5, 9, 33})) {
    LruScript script(check, blocks);
    for (int i = 0; i < 120; ++i) check.random().below(5) < 3 ? script.begin_request() : script.end_request();
    script.play();
  }
}

LAB_CHECK("lab05.t3.c5") {
  for (const int64_t block_size : {1, 4, 16}) {
    constexpr int64_t kBlocks = 24, kRequests = 60;
    std::vector<std::string> all_steps;
    const Numbers script = store_script(check, kRequests, 6 * block_size, all_steps);
    const Numbers expected = lab05::scripts::play_store(kBlocks, block_size, script);
    const Message answer =
        check.call(Message("store").set("blocks", kBlocks).set("block_size", block_size).set("script", script));
    const Numbers& got = answer.integers("trace");
    Steps steps(check);
    const std::string input =
        fmt::format("the engine's PagedKvStore with your classes, {} blocks of {} tokens", kBlocks, block_size);
    for (size_t i = 0; i < all_steps.size(); ++i) {
      steps.add("{}", all_steps[i]);
      const auto text = [](int64_t found) {
        return found == kNothing ? std::string("no room") : fmt::format("{} tokens found", found);
      };
      steps.expect(got.at(i) == expected[i], input, text(expected[i]), text(got[i]));
    }
    const char* const names[] = {"tokens found in all", "evictions", "copies on write", "available blocks"};
    for (size_t i = 0; i < std::size(names); ++i) {
      check.expect_equal(names[i], expected[all_steps.size() + i], got.at(all_steps.size() + i));
    }
  }
}

LAB_QUESTION("lab05.q3") {
  constexpr int64_t kPrompt = 64, kBlocks = 16;
  Numbers script;
  for (int64_t id = 0; id < 2; ++id) {
    script.insert(script.end(), {Op::serve, id, kPrompt});
    for (int64_t token = 0; token < kPrompt; ++token) script.push_back(token);
  }
  const Message answer =
      check.call(Message("store").set("blocks", kBlocks).set("block_size", int64_t{16}).set("script", script));
  return double(kPrompt - answer.integers("trace").at(1));
}
