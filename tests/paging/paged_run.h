#pragma once
/// @file
/// A paged KV store among random arrivals, shared prompts, samples, forks, drafts, rewinds, cancellations and
/// preemptions. A fake device stores and reads what the store's tables say, and every position that is read must hold what belongs there.
///
/// Everything that is wrong throws std::logic_error, so that a broken store can be shown to be caught.
#include <memory>

#include "tests/paging/fake_device.h"
#include "tests/paging/requests.h"

namespace stagecraft {

struct PagedRunOptions {
  PagedKvShape shape;
  int64_t largest_chunk = 40;
  bool forks = true;
  int64_t steps_between_checks = 1;  // of the store's own invariants; the device is checked in every step
};

struct PagedRunTally {
  int64_t steps = 0, ended = 0, preemptions = 0, forks = 0, rewinds = 0, drafted = 0;
  int64_t hit_tokens = 0, copies = 0, evictions = 0;

  void operator+=(const PagedRunTally& other) {
    steps += other.steps, ended += other.ended, preemptions += other.preemptions, forks += other.forks;
    rewinds += other.rewinds, drafted += other.drafted;
    hit_tokens += other.hit_tokens, copies += other.copies, evictions += other.evictions;
  }
};

class PagedRun {
 public:
  /// `store` is what is tested, and `books` the paged store in it: the same one, unless a fault has been put around it.
  PagedRun(uint64_t seed, const PagedRunOptions& options, KvStore& store, PagedKvStore& books)
      : random_(seed),
        options_(options),
        store_(store),
        books_(books),
        device_(options.shape.blocks, options.shape.block_size) {
    for (Tokens& beginning : beginnings_) {
      for (int64_t i = 0; i < kLongestBeginning; ++i) beginning.push_back(any_token());
    }
  }

  void step() {
    constexpr size_t kCrowd = 9;
    if (live_.size() < kCrowd && one_in(2)) arrive();
    if (options_.forks && live_.size() < kCrowd && one_in(12)) fork_someone();
    if (one_in(24)) end_someone();
    if (one_in(24)) rewind(any_live());
    plan();
    if (one_in(16)) preempt(any_live());  // although its step has been planned already
    if (one_in(16)) end_someone();
    pass();
    for (size_t i = live_.size(); i-- > 0;) commit(i);
    if (++tally_.steps % options_.steps_between_checks == 0) store_.check_invariants();
  }

  void drain() {
    while (!live_.empty()) end(live_.size() - 1);
    check(store_.holders() == 0 && books_.available_blocks() == books_.blocks(), "nothing is left when all have ended");
    store_.check_invariants();
  }

  PagedRunTally tally() const {
    PagedRunTally tally = tally_;
    tally.hit_tokens = books_.sharing().hit_tokens;
    tally.copies = books_.sharing().copies;
    tally.evictions = books_.sharing().evictions;
    return tally;
  }

 private:
  static constexpr int64_t kLongestBeginning = 20;

  struct Live {
    Request request;
    bool running = false;
    int64_t rows = 0;  // in the step that is planned; those of the draft are the last of them
  };

  int64_t below(int64_t bound) { return int64_t(random_() % uint64_t(bound)); }
  bool one_in(int64_t n) { return below(n) == 0; }
  TokenId any_token() { return TokenId(below(2)); }  // few, so that much is equal
  Live* any_live() { return live_.empty() ? nullptr : live_[size_t(below(int64_t(live_.size())))].get(); }

  void arrive() {
    auto live = std::make_unique<Live>();
    Request& request = live->request;
    const Live* const other = any_live();
    if (other && one_in(3)) {
      request.tokens.assign(other->request.tokens.begin(),
                            other->request.tokens.begin() + other->request.prompt_tokens);
      request.sample_of = other->request.id;
    } else {
      const Tokens& beginning = beginnings_[size_t(below(2))];
      request.tokens.assign(beginning.begin(), beginning.begin() + below(kLongestBeginning));
      for (int64_t own = 1 + below(4); own > 0; --own) request.tokens.push_back(any_token());
    }
    add(std::move(live));
  }

  // A beam: the same beginning, from then on its own way.
  void fork_someone() {
    Live* const parent = any_live();
    if (!parent || parent->request.num_computed == 0) return;
    const int64_t length = 1 + below(parent->request.num_computed);
    auto live = std::make_unique<Live>();
    live->request.tokens.assign(parent->request.tokens.begin(), parent->request.tokens.begin() + length);
    live->request.tokens.push_back(any_token());
    if (Live* const child = add(std::move(live))) {
      books_.fork(parent->request, child->request, length);
      child->request.num_computed = length;
      child->running = true;
      ++tally_.forks;
    }
  }

  // Forgets tokens that were committed, and goes on in another way.
  void rewind(Live* live) {
    if (!live || live->request.num_computed == 0) return;
    Request& request = live->request;
    const int64_t length = 1 + below(request.num_computed);
    store_.truncate(request, length);
    request.tokens.resize(size_t(length));
    request.tokens.push_back(any_token());
    request.num_computed = length;
    request.prompt_tokens = std::min(request.prompt_tokens, length + 1);
    ++tally_.rewinds;
  }

  // Nothing if it could never be served.
  Live* add(std::unique_ptr<Live> live) {
    Request& request = live->request;
    request.id = next_id_++;
    request.prompt_tokens = int64_t(request.tokens.size());
    request.max_tokens = 1 + below(10);
    if (store_.refusal(request.prompt_tokens + request.max_tokens - 1)) return nullptr;
    live_.push_back(std::move(live));
    return live_.back().get();
  }

  // Oldest first. If a newcomer does not fit, those behind it wait too.
  void plan() {
    bool lets_in = true;
    for (size_t i = 0; i < live_.size(); ++i) {
      Live& live = *live_[i];
      if (!live.running) {
        lets_in = lets_in && admit(live);
      } else if (!one_in(8)) {
        serve(live);
      }
    }
  }

  bool admit(Live& live) {
    Request& request = live.request;
    request.num_computed = store_.match_prefix(request);
    check(request.num_computed < int64_t(request.tokens.size()), "the last token is left to compute");
    check(store_.reserved(request) == request.num_computed, "a hit has its place");
    live.running = true;
    if (reserve(live, chunk_of(live))) return true;
    send_back(live);
    return false;
  }

  void serve(Live& live) {
    Request& request = live.request;
    const int64_t rows = chunk_of(live);
    const int64_t useful = request.max_tokens - request.generated() - 1;
    if (rows == request.pending() && useful > 0 && one_in(2)) {
      for (int64_t drafts = 1 + below(std::min<int64_t>(useful, 5)); drafts > 0; --drafts) {
        request.draft.push_back(any_token());
      }
      tally_.drafted += int64_t(request.draft.size());
      if (reserve(live, rows + int64_t(request.draft.size()))) return;
      request.draft.clear();
    }
    while (!reserve(live, rows)) {
      const auto victim = std::find_if(live_.rbegin(), live_.rend(), [&](const auto& other) {
        return other->running && other->rows == 0 && other.get() != &live;
      });
      if (victim == live_.rend()) return;
      preempt(victim->get());
    }
  }

  int64_t chunk_of(const Live& live) { return std::min(live.request.pending(), 1 + below(options_.largest_chunk)); }

  bool reserve(Live& live, int64_t rows) {
    const Request& request = live.request;
    const int64_t upto = request.num_computed + rows;
    const int64_t needed = books_.blocks_needed(request, upto), available = books_.available_blocks();
    const int64_t before = store_.reserved(request);
    const bool room = store_.reserve(request, upto);
    check(room == (needed <= available), "there is room exactly if there are the blocks that are needed");
    if (room) {
      check(store_.reserved(request) == upto, "what is reserved has its place");
      live.rows = rows;
    } else {
      check(store_.reserved(request) == before && books_.available_blocks() == available, "no changes nothing");
      check(store_.holders() > (before > 0 ? 1 : 0), "a request that is alone has room");
    }
    return room;
  }

  void preempt(Live* live) {
    if (!live || !live->running) return;
    send_back(*live);
    ++tally_.preemptions;
  }

  void send_back(Live& live) {
    store_.release(live.request);
    check(store_.reserved(live.request) == 0, "what is released is given back");
    live.request.num_computed = 0;
    live.request.draft.clear();
    live.rows = 0;
    live.running = false;
  }

  // Writes come after the copies; whatever has been computed must be there before and after them.
  void pass() {
    const std::vector<int32_t> owners = books_.owners();
    for (size_t block = 0; block < owners.size(); ++block) {
      if (owners[block] == BlockMap::kFree) device_.poison(int64_t(block));
    }
    device_.copy(store_.take_copies(), random_);
    for (const auto& live : live_) check_stored(*live, live->request.num_computed);
    for (const auto& live : live_) write_rows(*live);
    for (const auto& live : live_) check_stored(*live, live->request.num_computed + live->rows);
  }

  template <class Visit>
  static void for_each_position(const Live& live, int64_t length, const Visit& visit) {
    const Request& request = live.request;
    const int64_t known = int64_t(request.tokens.size());
    uint64_t stored = FakeDevice::kStart;
    for (int64_t p = 0; p < length; ++p) {
      stored = FakeDevice::stored(stored, p < known ? request.tokens[size_t(p)] : request.draft[size_t(p - known)]);
      visit(p, stored);
    }
  }

  void check_stored(const Live& live, int64_t length) const {
    for_each_position(live, length, [&](int64_t position, uint64_t expected) {
      check(device_.read(store_.slot(live.request, position)) == expected, "what is read is what belongs there");
    });
  }

  void write_rows(const Live& live) {
    const int64_t first = live.request.num_computed;
    for_each_position(live, first + live.rows, [&](int64_t position, uint64_t value) {
      if (position >= first) device_.write(store_.slot(live.request, position), value);
    });
  }

  // Some guesses were right, and one token more is known.
  void commit(size_t index) {
    Live& live = *live_[index];
    Request& request = live.request;
    if (live.rows == 0) return;
    const int64_t stored = request.num_computed + live.rows;
    if (stored >= int64_t(request.tokens.size())) {
      const int64_t right = below(int64_t(request.draft.size()) + 1);
      request.tokens.insert(request.tokens.end(), request.draft.begin(), request.draft.begin() + right);
      request.tokens.push_back(any_token());
    }
    request.num_computed = std::min(stored, int64_t(request.tokens.size()) - 1);
    if (!request.draft.empty()) {
      store_.truncate(request, request.num_computed);
      check(store_.reserved(request) == request.num_computed, "what is cut off has no place any more");
    }
    store_.commit(request, request.num_computed);
    request.draft.clear();
    live.rows = 0;
    if (request.generated() == request.max_tokens || one_in(32)) end(index);
  }

  void end_someone() {
    if (!live_.empty()) end(size_t(below(int64_t(live_.size()))));
  }

  void end(size_t index) {
    send_back(*live_[index]);
    live_.erase(live_.begin() + int64_t(index));
    ++tally_.ended;
  }

  std::mt19937_64 random_;
  PagedRunOptions options_;
  KvStore& store_;
  PagedKvStore& books_;
  FakeDevice device_;
  Tokens beginnings_[2];
  std::vector<std::unique_ptr<Live>> live_;  // by arrival
  int next_id_ = 0;
  PagedRunTally tally_;
};

}  // namespace stagecraft
