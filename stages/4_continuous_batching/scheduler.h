#pragma once
/// @file
/// Continuous batching (Orca; Yu et al., OSDI 2022): requests join and leave the batch at every step.
///
///              add                 plan: room and budget                 commit: finished
///     (client) ----> [ waiting ] -------------------------> [ running ] -------------------> (done)
///                        ^                                      |
///                        +------- preempt: num_computed = 0 ----+
///
/// There is no prefill phase and no decode phase. A running request has pending tokens, `tokens - num_computed`, and a
/// step computes some of them for some requests, at most `budget` tokens in all:
///
///   1. running requests with one pending token, those first that were not served for longest: their clients wait for
///      the next token, and a row costs little;
///   2. running requests with more, in the order they were let in, at most `max_chunk` tokens each: chunked prefill
///      (Sarathi-Serve; Agrawal et al., OSDI 2024) needs no code of its own;
///   3. waiting requests, in the order of the policy, while the KV store has room and there are fewer than
///      `max_running`. If the next one does not fit, those behind it wait too, or a large one would never get in. What
///      the store has already of a newcomer's tokens (a shared prefix) counts as computed;
///   4. drafts (Request::draft), behind the requests that reach their end in this step: guesses get what nobody else has
///      a use for. They are cut to what is left of budget, chunk, room and tokens to generate, and preempt nobody.
///
/// Nobody starves. In the queue: once a request has been overtaken by `max_overtakes` later ones it goes next, so at
/// most (requests that came before) + max_overtakes are let in before it. Running: single-token rows take turns, and
/// while a larger one gets nothing, nobody new is let in, so it waits at most until enough of the others have ended.
///
/// Time and randomness play no part: same calls, same plans.
///
/// Ownership: the engine owns the requests and adds their new tokens; the scheduler keeps a pointer to each from add()
/// until it leaves, by commit() or cancel(). A request must stay where it is in memory for that long. The scheduler is
/// the only one that writes num_computed and that asks the store.
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "stages/4_continuous_batching/policy.h"
#include "stages/core/kv_store.h"
#include "stages/core/step_plan.h"

namespace stagecraft {

struct SchedulerOptions {
  static constexpr int64_t kWholePrompt = std::numeric_limits<int64_t>::max();
  static constexpr int64_t kDefaultOvertakes = 32;

  Policy policy = Policy::fcfs;
  int max_running = 1;
  int64_t max_chunk = kWholePrompt;           // tokens of one request in a step
  int64_t max_overtakes = kDefaultOvertakes;  // later requests that may be let in before a waiting one; 0 is fcfs
};

class Scheduler {
 public:
  /// Throws BadInput for limits under which nothing could ever run. `store` must outlive the scheduler.
  Scheduler(const SchedulerOptions& options, KvStore& store);
  virtual ~Scheduler() = default;
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// Puts `request` into the queue. A request that can never be served (no prompt, nothing to generate, larger than the
  /// KV store) is not: it is marked refused, and the reason is returned. No two requests may have the same id.
  [[nodiscard]] std::optional<std::string> add(Request& request, Priority priority = 0);

  /// What the next step computes, at most `budget` tokens. Throws BadInput if `budget` is below 1. A plan that is not
  /// empty must be committed before the next one is made.
  StepPlan plan(int64_t budget);

  /// The step is done: its tokens are stored. The engine has already appended to each request that had logits the drafted
  /// tokens that were right and one more, and set `finished` where that ended it; those leave, and their memory is free
  /// again. What was stored for guesses that were wrong is forgotten, and no request has a draft any more.
  void commit(const StepPlan& plan);

  /// `request` stops here, whatever it is doing. If a step that contains it is under way, the step still writes to its
  /// slots, so they are given back at commit. A request that has left already stays as it is.
  void cancel(Request& request);

  /// Sends a running request back to the queue, at the place its arrival gives it. It keeps the tokens it has generated
  /// and will compute all of them again. It must not be part of a step that is under way.
  void preempt(Request& request);

  size_t waiting() const { return waiting_.size(); }
  size_t running() const { return running_.size(); }
  bool idle() const { return waiting_.empty() && running_.empty(); }

  /// Throws std::logic_error where the books do not add up: lost or doubled requests, K/V held by the wrong ones,
  /// limits or the promise of fairness broken.
  void check_invariants() const;

 protected:
  /// Whether `newcomer`, which has computed num_computed of its tokens, may be let in now. An override may keep some
  /// room for those that run already. Nobody is kept out of an empty batch.
  virtual bool lets_in(const Request& newcomer);

  /// The store has no room for `needy`. An override may preempt() one of preemptible() and return true: plan() then
  /// asks the store again. Stage 4 never preempts: a region, once given, is large enough.
  virtual bool make_room(const Request& needy);

  /// Running requests that are not part of the step being planned, in the order they were let in.
  std::vector<Request*> preemptible() const;

 private:
  struct Entry {
    Request* request = nullptr;
    Priority priority = 0;
    int64_t arrival = 0;      // how many were added before it
    int64_t overtaken = 0;    // by later ones, while it waited
    int64_t last_served = 0;  // how many shares of steps had been given out by then
    bool running = false;
    bool in_step = false;  // the step that is being planned or under way
  };

  std::vector<Entry*> service_order();
  bool schedule(Entry& entry, int64_t budget, StepPlan& plan);
  bool reserve_room(Entry& entry, int64_t upto);
  int64_t admit_waiting(int64_t budget, StepPlan& plan);
  bool admit(Entry& entry, int64_t budget, StepPlan& plan);
  void add_drafts(int64_t budget, StepPlan& plan);
  Entry& next_waiting() const;
  bool goes_before(const Entry& a, const Entry& b) const;
  void leave_queue(Entry& entry);
  void leave(Entry& entry);
  Entry& entry_of(const Request& request);
  void check_entry(const Entry& entry) const;

  SchedulerOptions options_;
  KvStore& store_;
  std::unordered_map<int, Entry> entries_;  // by request id; never iterated where the order could matter
  std::vector<Entry*> waiting_;             // by arrival
  std::vector<Entry*> running_;             // in the order they were let in
  int64_t arrivals_ = 0;
  int64_t shares_given_ = 0;
  size_t items_in_step_ = 0;  // 0: no step is under way
};

}  // namespace stagecraft
