#pragma once
/// @file
/// A scheduler among random arrivals, cancellations, preemptions, drafts and ends, watched by a model of its own that
/// knows nothing of its insides: only what was asked for, what was planned, and what the contract promises.
///
/// Everything that breaks the contract throws std::logic_error, so that a broken scheduler can be shown to be caught.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "kernels/check.h"
#include "stages/4_continuous_batching/scheduler.h"

namespace stagecraft {

struct RandomRunOptions {
  SchedulerOptions scheduler;
  int64_t longest = 0;          // the KV store refuses requests with more tokens to store
  int64_t largest_budget = 1;   // the budget of a step is random up to this
  bool room_runs_out = false;   // the store may say no to a running request
  bool disjoint_slots = false;  // the store gives addresses
  bool prefix_hits = false;     // the store may have tokens of a newcomer already
  int64_t alike = 1;            // so many requests in a row have the same text, and are samples of each other
  int64_t longest_silence = 0;  // steps that a request may go without a share
  int64_t longest_draft = 0;    // of the drafts that requests come with; each token is right three times in four
};

/// The store as the scheduler sees it: it notices what a scheduler may not do for the sake of a guess.
class DraftWatch final : public KvStore {
 public:
  explicit DraftWatch(KvStore& store) : store_(store) {}

  void begin_plan() { planning_ = true, asked_for_draft_ = false; }
  void end_plan() { planning_ = false; }

  std::optional<std::string> refusal(int64_t length) const override { return store_.refusal(length); }
  bool reserve(const Request& request, int64_t upto) override {
    if (upto > int64_t(request.tokens.size())) asked_for_draft_ = true;
    return store_.reserve(request, upto);
  }
  void truncate(const Request& request, int64_t length) override { store_.truncate(request, length); }
  void release(const Request& request) override {
    check(!planning_ || !asked_for_draft_, "a draft takes nobody's place");
    store_.release(request);
  }
  int64_t reserved(const Request& request) const override { return store_.reserved(request); }
  int64_t slot(const Request& request, int64_t position) const override { return store_.slot(request, position); }
  std::optional<int64_t> block_size() const override { return store_.block_size(); }
  int64_t match_prefix(const Request& request) override { return store_.match_prefix(request); }
  void commit(const Request& request, int64_t length) override { store_.commit(request, length); }
  std::vector<BlockCopy> take_copies() override { return store_.take_copies(); }
  int holders() const override { return store_.holders(); }
  KvUsage usage() const override { return store_.usage(); }
  void check_invariants() const override { store_.check_invariants(); }

 private:
  KvStore& store_;
  bool planning_ = false;
  bool asked_for_draft_ = false;  // in this plan
};

template <class SchedulerUnderTest>
class RandomRun {
 public:
  RandomRun(uint64_t seed, const RandomRunOptions& options, KvStore& store)
      : random_(seed), options_(options), store_(store), watch_(store), scheduler_(options.scheduler, watch_) {}

  /// One turn of the loop with whatever happens around it.
  void step() {
    constexpr size_t kCrowd = 14;
    if (live_.size() < kCrowd && one_in(2)) arrive();
    if (one_in(16)) cancel_someone();
    if (one_in(16)) preempt_someone();
    check_books();
    turn();
  }

  /// No more arrivals: everybody who is still there must come to an end.
  void drain() {
    for (int64_t steps = 0; !live_.empty(); ++steps) {
      check(steps < kLongestDrain, "livelock: requests go on for ever");
      turn();
    }
    check(scheduler_.idle() && store_.holders() == 0, "nothing is left when all have ended");
  }

  int64_t completed() const { return completed_; }
  int64_t preemptions() const { return preemptions_; }
  int64_t drafted() const { return drafted_; }
  int64_t accepted() const { return accepted_; }

 private:
  static constexpr int64_t kLongestDrain = 5000;

  struct Live {
    Request request;
    int64_t arrival = 0;
    int64_t overtaken = 0;
    int64_t computed = 0;
    int64_t generated = 0;
    int64_t silent_steps = 0;
    std::vector<TokenId> draft;  // that it came with
    bool running = false;
    bool in_step = false;
  };

  int64_t below(int64_t bound) { return int64_t(random_() % uint64_t(bound)); }
  bool one_in(int64_t n) { return below(n) == 0; }

  TokenId token_at(const Request& request, size_t position) const {
    return TokenId((uint32_t(request.id / options_.alike) * 2654435761u + uint32_t(position)) >> 1);
  }

  void arrive() {
    auto live = std::make_unique<Live>();
    Request& request = live->request;
    request.id = int(arrivals_);
    if (arrivals_ % options_.alike != 0) request.sample_of = request.id - 1;
    request.prompt_tokens = 1 + below(one_in(8) ? 40 : 12);
    request.max_tokens = 1 + below(8);
    for (int64_t i = 0; i < request.prompt_tokens; ++i) request.tokens.push_back(token_at(request, size_t(i)));
    const bool fits = request.prompt_tokens + request.max_tokens - 1 <= options_.longest;
    const auto refusal = scheduler_.add(request, Priority(below(4)));
    check(refusal.has_value() == !fits, "exactly those are refused that can never fit");
    check(fits == !request.finished, "a refused request is finished, an accepted one is not");
    live->arrival = arrivals_++;
    if (fits) live_.push_back(std::move(live));
  }

  void cancel_someone() {
    if (live_.empty()) return;
    Live& live = *live_[size_t(below(int64_t(live_.size())))];
    scheduler_.cancel(live.request);
    check(live.request.finished.has_value(), "a cancelled request is finished");
    if (!live.in_step) check(store_.reserved(live.request) == 0, "a cancelled request gives its memory back");
    if (!live.in_step) forget_finished();
  }

  void preempt_someone() {
    if (live_.empty()) return;
    Live& live = *live_[size_t(below(int64_t(live_.size())))];
    if (live.running) scheduler_.preempt(live.request);
    notice_preemptions();
  }

  void turn() {
    const int64_t budget = 1 + below(options_.largest_budget);
    if (options_.longest_draft > 0) draft();
    watch_.begin_plan();
    const StepPlan plan = scheduler_.plan(budget);
    watch_.end_plan();
    notice_preemptions();
    check_plan(plan, budget);
    check_books();
    if (one_in(8)) cancel_someone();
    for (const StepItem& item : plan.items) {
      check(store_.reserved(*item.request) >= item.first + item.tokens, "a step's slots are its own until it is done");
    }
    (void)store_.take_copies();
    for (const StepItem& item : plan.items) {
      live_of(item).computed = item.first + item.tokens - item.drafted;
      sample(item);
    }
    if (!plan.empty()) scheduler_.commit(plan);
    for (const StepItem& item : plan.items) {
      live_of(item).in_step = false;
      check_forgotten(item);
    }
    forget_finished();
    check_books();
  }

  // Guesses for all that run: also for those that read their prompt, and longer ones than they may generate.
  void draft() {
    for (const auto& live : live_) {
      Request& request = live->request;
      request.draft.clear();
      live->draft.clear();
      if (!live->running) continue;
      for (int64_t i = below(2 * options_.longest_draft) - options_.longest_draft; i >= 0; --i) {
        const TokenId right = token_at(request, request.tokens.size() + request.draft.size());
        request.draft.push_back(one_in(4) ? right ^ 1 : right);
      }
      live->draft = request.draft;
    }
  }

  // A token for each row whose guess was right, and one more.
  void sample(const StepItem& item) {
    Request& request = *item.request;
    Live& live = live_of(item);
    if (item.logit_rows == 0) return;
    for (int64_t row = 0; row <= item.drafted && !request.finished; ++row) {
      const TokenId drawn = token_at(request, request.tokens.size());
      request.tokens.push_back(drawn);
      ++live.generated;
      if (request.generated() == request.max_tokens || one_in(32)) request.finished = FinishReason::stop;
      if (row == item.drafted || live.draft[size_t(row)] != drawn) break;
      if (request.finished) break;
      ++live.computed;  // the guess was right: its key is that of the token
      ++accepted_;
    }
    drafted_ += item.drafted;
  }

  // After a step nobody in it has guesses, and what was stored for wrong ones has no place any more.
  void check_forgotten(const StepItem& item) {
    const Request& request = *item.request;
    if (options_.longest_draft == 0 || request.finished) return;
    check(request.draft.empty(), "a step leaves no draft behind");
    check(request.num_computed == live_of(item).computed, "what was computed for wrong guesses does not count");
    if (item.drafted == 0 || !options_.room_runs_out) return;  // a region stays as long as it is
    check(store_.reserved(request) == request.num_computed, "what was stored for wrong guesses has no place any more");
  }

  // A running request has computed something, so one that has not was sent back.
  void notice_preemptions() {
    for (const auto& live : live_) {
      if (!live->running || live->request.num_computed > 0) continue;
      live->running = false;
      live->computed = 0;
      ++preemptions_;
    }
  }

  void check_plan(const StepPlan& plan, int64_t budget) {
    check(!plan.empty() || live_.empty(), "progress: while somebody is there, something is computed");
    check(plan.tokens() <= budget, "a step stays within its budget");
    for (const auto& live : live_) ++live->silent_steps;
    std::set<int64_t> slots;
    bool newcomers = false;
    for (const StepItem& item : plan.items) {
      Live& live = live_of(item);
      check(!live.in_step, "a request takes part in a step once");
      live.in_step = true;
      live.silent_steps = 0;
      const int64_t known = int64_t(live.request.tokens.size());
      if (options_.prefix_hits && !live.running) live.computed = item.first;
      check(item.first == live.computed, "a share begins where the last one ended");
      const int64_t end = item.first + item.tokens - item.drafted;
      check(item.tokens - item.drafted >= 1 && end <= known, "a share lies within what is known");
      check(item.tokens <= options_.scheduler.max_chunk, "a share is at most a chunk");
      check(item.logit_rows == (end == known ? 1 + item.drafted : 0), "logits are wanted at the end, only there");
      check_draft(item, live, budget > plan.tokens());
      if (options_.disjoint_slots) {
        for (int64_t position = std::min(item.first, end); position < end + item.drafted;
             position = std::max(position + 1, end)) {
          check(slots.insert(store_.slot(live.request, position)).second, "no slot belongs to two requests");
        }
      }
      if (!live.running) {
        newcomers = true;
        let_in(live);
      }
    }
    if (!options_.room_runs_out) check_order(plan, budget, newcomers);
    for (const auto& live : live_) {
      check(!live->running || live->silent_steps <= options_.longest_silence, "starvation: a running request waits");
    }
  }

  // The beginning of what was guessed: all of it that may be of use, if there is budget and room for it.
  void check_draft(const StepItem& item, const Live& live, bool budget_left) {
    const std::vector<TokenId>& planned = live.request.draft;
    if (item.logit_rows == 0) check(item.drafted == 0, "who does not reach its end has no use for guesses");
    if (item.drafted == 0 && options_.longest_draft == 0) return;
    const int64_t useful = live.request.max_tokens - live.request.generated() - 1;
    check(item.drafted <= std::max<int64_t>(useful, 0), "a draft ends before the last token that may be generated");
    check(item.drafted <= int64_t(live.draft.size()) && int64_t(planned.size()) == item.drafted &&
              std::equal(planned.begin(), planned.end(), live.draft.begin()),
          "a draft is cut at its end, and nothing else happens to it");
    if (options_.room_runs_out || !budget_left || item.logit_rows == 0) return;
    const int64_t fits = options_.scheduler.max_chunk - (item.tokens - item.drafted);
    check(item.drafted == std::min({int64_t(live.draft.size()), useful, fits}),
          "a draft gets what is left of the budget");
  }

  void let_in(Live& newcomer) {
    newcomer.running = true;
    for (const auto& other : live_) {
      if (other->running || other->arrival > newcomer.arrival) continue;
      check(++other->overtaken <= options_.scheduler.max_overtakes,
            "starvation: a waiting request is passed too often");
    }
  }

  // Single rows before larger shares, these before newcomers, and no token of the budget left while one could use it.
  void check_order(const StepPlan& plan, int64_t budget, bool newcomers) {
    const bool larger = std::any_of(plan.items.begin(), plan.items.end(),
                                    [](const StepItem& item) { return item.request->pending() > 1; });
    const bool drafts =
        std::any_of(plan.items.begin(), plan.items.end(), [](const StepItem& item) { return item.drafted > 0; });
    size_t running = 0;
    for (const auto& live : live_) {
      running += live->running ? 1 : 0;
      if (!live->running || live->in_step) continue;
      check(!newcomers, "nobody is let in while a running request gets nothing");
      check(!larger || live->request.pending() > 1, "decode first: single rows come before larger shares");
      check(plan.tokens() == budget, "a running request gets what is left of the budget");
      check(!drafts, "drafts get what nobody else has a use for");
    }
    check(running <= size_t(options_.scheduler.max_running), "no more requests run than may");
    const bool place = running < live_.size() && running < size_t(options_.scheduler.max_running);
    check(!place || plan.tokens() == budget, "a waiting request gets what is left of the budget");
    check(!place || !drafts, "drafts get what nobody else has a use for");
  }

  void check_books() {
    scheduler_.check_invariants();
    check(scheduler_.waiting() + scheduler_.running() == live_.size(), "no request is lost, none appears twice");
    for (const auto& live : live_) {
      const Request& request = live->request;
      check(request.generated() == live->generated, "no generated token is lost");
      check(request.tokens.back() == token_at(request, request.tokens.size() - 1), "tokens stay what they were");
    }
  }

  void forget_finished() {
    const auto done = [&](const std::unique_ptr<Live>& live) {
      if (!live->request.finished) return false;
      check(store_.reserved(live->request) == 0, "a finished request gives its memory back");
      ++completed_;
      return true;
    };
    live_.erase(std::remove_if(live_.begin(), live_.end(), done), live_.end());
  }

  Live& live_of(const StepItem& item) {
    const auto found =
        std::find_if(live_.begin(), live_.end(), [&](const auto& live) { return &live->request == item.request; });
    check(found != live_.end(), "what is planned is there");
    return **found;
  }

  std::mt19937_64 random_;
  RandomRunOptions options_;
  KvStore& store_;
  DraftWatch watch_;
  SchedulerUnderTest scheduler_;
  std::vector<std::unique_ptr<Live>> live_;  // by arrival
  int64_t arrivals_ = 0;
  int64_t completed_ = 0;
  int64_t preemptions_ = 0;
  int64_t drafted_ = 0;
  int64_t accepted_ = 0;
};

}  // namespace stagecraft
