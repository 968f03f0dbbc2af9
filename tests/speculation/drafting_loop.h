#pragma once
/// @file
/// The shortest loop that decodes with drafts: all requests in one batch, one verification pass a step, no scheduler.
/// With a drafter that never drafts it is stage 3 without padding, which gives the expected output.
#include <deque>
#include <vector>

#include "stages/6_speculative_decoding/acceptance.h"
#include "stages/6_speculative_decoding/drafter.h"
#include "stages/6_speculative_decoding/verification.h"
#include "stages/core/engine_run.h"
#include "stages/core/slot_kv_store.h"
#include "tests/stages/test_model.h"

namespace stagecraft::testing {

class DraftingLoop {
 public:
  static constexpr int64_t kLongest = 256;

  DraftingLoop(TestModel& target, Drafter& drafter, int places)
      : target_(target),
        drafter_(drafter),
        store_({.max_running = places, .slots_per_request = kLongest}),
        pool_(target.poisoned_pool(NumberType::bf16, store_.slots())) {}

  /// Decodes until each request has its max_tokens. `lengths[i]` tokens are drafted for request i.
  void run(std::deque<Request>& requests, const std::vector<int>& lengths) {
    for (;;) {
      std::vector<Request*> unfinished;
      std::vector<int> wanted;
      for (size_t i = 0; i < requests.size(); ++i) {
        if (requests[i].generated() >= requests[i].max_tokens) continue;
        unfinished.push_back(&requests[i]);
        wanted.push_back(lengths[i]);
      }
      if (unfinished.empty()) return;
      step(unfinished, wanted);
    }
  }

  /// One turn: draft, compute, verify, commit.
  void step(const std::vector<Request*>& requests, const std::vector<int>& lengths) {
    const std::vector<const Request*> asked(requests.begin(), requests.end());
    const std::vector<Draft> drafts = drafter_.propose(asked, lengths);
    StepPlan plan;
    std::vector<SamplingRow> how;
    for (size_t i = 0; i < requests.size(); ++i) {
      Request& request = *requests[i];
      request.draft = drafts[i].tokens;
      const int64_t drafted = int64_t(request.draft.size());
      check(store_.reserve(request, int64_t(request.tokens.size()) + drafted), "there is room");
      plan.items.push_back({&request, request.num_computed, request.pending() + drafted, 1 + drafted, drafted});
      for (int64_t row = 0; row <= drafted; ++row) {
        const SamplingParams& s = request.sampling;
        how.push_back({s.temperature, s.top_k, s.top_p, s.seed, int64_t(request.tokens.size()) + row});
      }
    }
    target_.model().forward(make_batch(plan, store_), pool_);
    const std::vector<TokenId> drawn = target_.model().sample(how);
    size_t row = 0;
    for (Request* request : requests) row += commit(*request, {drawn.data() + row, request->draft.size() + 1});
  }

  const AcceptanceCounts& counts() const { return counts_; }

 private:
  size_t commit(Request& request, std::span<const TokenId> drawn) {
    const Verdict verdict = verify_by_match(request.draft, drawn);
    counts_.add(request.draft.size(), verdict.accepted);
    for (const TokenId id : verdict.tokens) {
      if (request.generated() < request.max_tokens) request.tokens.push_back(id);
    }
    request.draft.clear();
    request.num_computed = int64_t(request.tokens.size()) - 1;  // all but the target's own token has been a row
    store_.truncate(request, request.num_computed);
    return drawn.size();
  }

  TestModel& target_;
  Drafter& drafter_;
  SlotKvStore store_;
  KvPool pool_;
  AcceptanceCounts counts_;
};

}  // namespace stagecraft::testing
