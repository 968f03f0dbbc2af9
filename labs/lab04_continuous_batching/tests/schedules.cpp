/// @file
/// A small scheduler with bad habits.
#include "labs/lab04_continuous_batching/tests/schedules.h"

#include <stdexcept>

namespace lab04 {
namespace {

struct State {
  int64_t known = 0, computed = 0, generated = 0;
  bool has_begun = false;
};

class Scheduler {
 public:
  Scheduler(stagecraft::RandomStream& random, Habit habit) : random_(random), habit_(habit) {
    constexpr int64_t kJobs = 12;
    trace_.budget = 4 + below(12);
    trace_.max_running = 2 + below(4);
    int64_t arrival = 0;
    for (int64_t id = 0; id < kJobs; ++id) {
      arrival += below(3) * below(3);
      trace_.jobs.push_back({arrival, 1 + below(30), 1 + below(8)});
      states_.push_back({trace_.jobs.back().prompt});
    }
  }

  Trace run() {
    constexpr int64_t kMostSteps = 1000;
    while (!all_ended() && step_ < kMostSteps) {
      Plan plan = planned();
      Plan told = plan;
      distort(told);
      if (habit_ == Habit::shuffled) shuffle(told);
      trace_.steps.push_back(std::move(told));
      commit(plan);
      ++step_;
    }
    if (habit_ == Habit::gives_up) trace_.steps.pop_back();
    return trace_;
  }

 private:
  int64_t below(int64_t bound) { return random_.below(uint32_t(bound)); }
  bool has_ended(size_t id) const { return states_[id].generated == trace_.jobs[id].output; }
  bool is_there(size_t id) const {
    return trace_.jobs[id].arrival <= step_ + (habit_ == Habit::too_early ? 1 : 0) && !has_ended(id);
  }
  bool runs(size_t id) const { return is_there(id) && states_[id].has_begun; }

  bool all_ended() const {
    for (size_t id = 0; id < states_.size(); ++id) {
      if (!has_ended(id)) return false;
    }
    return true;
  }

  Plan planned() {
    Plan plan;
    int64_t left = trace_.budget + (habit_ == Habit::one_too_many ? 1 : 0);
    if (habit_ == Habit::newcomers_first) admit(plan, left);
    std::vector<size_t> order;
    for (size_t id = 0; id < states_.size(); ++id) {
      if (runs(id) && !has_share(plan, id)) order.push_back(id);
    }
    if (habit_ == Habit::last_first) std::reverse(order.begin(), order.end());
    const int64_t break_begins = 8, break_ends = 12;
    for (const size_t id : order) {
      const bool forgotten = habit_ == Habit::takes_a_break && step_ >= break_begins && step_ < break_ends;
      if (!forgotten || id != order.back()) give(plan, left, id);
    }
    if (habit_ != Habit::newcomers_first) admit(plan, left);
    return plan;
  }

  void admit(Plan& plan, int64_t& left) {
    int64_t running = 0;
    std::vector<size_t> waiting;
    for (size_t id = 0; id < states_.size(); ++id) {
      running += runs(id) ? 1 : 0;
      if (is_there(id) && !runs(id)) waiting.push_back(id);
    }
    if (habit_ == Habit::lock_step && running > 0) return;
    if (habit_ == Habit::shortest_first) {
      std::stable_sort(waiting.begin(), waiting.end(),
                       [&](size_t a, size_t b) { return trace_.jobs[a].prompt < trace_.jobs[b].prompt; });
    }
    const int64_t places = trace_.max_running + (habit_ == Habit::a_place_too_many ? 1 : 0);
    for (const size_t id : waiting) {
      if (left == 0 || running == places) return;
      if (habit_ == Habit::whole_prompts && states_[id].known > left && running > 0) return;
      give(plan, left, id);
      ++running;
    }
  }

  static bool has_share(const Plan& plan, size_t id) {
    return std::any_of(plan.begin(), plan.end(), [&](const Share& share) { return share.id == int64_t(id); });
  }

  void give(Plan& plan, int64_t& left, size_t id) {
    const State& state = states_[id];
    const int64_t pending = state.known - state.computed, tokens = std::min(pending, left);
    if (tokens == 0) return;
    plan.push_back({int64_t(id), state.computed, tokens, tokens == pending});
    left -= tokens;
  }

  /// Habits that show in what is told of a step, once, where the step is such that they can.
  void distort(Plan& plan) {
    constexpr int64_t kFirst = 2;
    if (distorted_ || step_ < kFirst) return;
    int64_t left = trace_.budget;
    for (const Share& share : plan) left -= share.tokens;
    for (size_t id = 0; id < states_.size() && left > 0; ++id) {
      const int64_t last = trace_.jobs[id].prompt + trace_.jobs[id].output - 1;
      if (habit_ == Habit::too_late && has_ended(id)) return add(plan, {int64_t(id), last, 1, true});
    }
    if (habit_ == Habit::empty_share && !plan.empty()) {
      for (size_t id = 0; id < states_.size(); ++id) {
        if (is_there(id) && !has_share(plan, id)) return add(plan, {int64_t(id), states_[id].computed, 0, false});
      }
    }
    for (Share& share : plan) {
      if (distorted_) return;
      const Share before = share;
      distort(share, left);
      if (habit_ == Habit::two_shares && share.tokens > 1) {
        const int64_t half = share.tokens / 2;
        const Share rest{share.id, share.first + half, share.tokens - half, share.logits};
        share.tokens = half;
        share.logits = false;
        return add(plan, rest);
      }
      distorted_ = share.first != before.first || share.tokens != before.tokens || share.logits != before.logits;
    }
  }

  void distort(Share& share, int64_t left) const {
    const bool goes_on = share.first > 0 && share.tokens > 1;
    if (habit_ == Habit::skips && goes_on) share = {share.id, share.first + 1, share.tokens - 1, share.logits};
    if (habit_ == Habit::computes_again && share.first > 0 && left > 0)
      share = {share.id, share.first - 1, share.tokens + 1, share.logits};
    if (habit_ == Habit::beyond_the_end && share.logits && left > 0) ++share.tokens;
    if (habit_ == Habit::logits_too_early && !share.logits) share.logits = true;
    if (habit_ == Habit::logits_forgotten && share.logits && share.tokens > 1) share.logits = false;
  }

  void add(Plan& plan, const Share& share) {
    plan.push_back(share);
    distorted_ = true;
  }

  void shuffle(Plan& plan) {
    for (size_t i = plan.size(); i > 1; --i) std::swap(plan[i - 1], plan[size_t(below(int64_t(i)))]);
  }

  void commit(const Plan& plan) {
    for (const Share& share : plan) {
      State& state = states_[size_t(share.id)];
      state.has_begun = true;
      state.computed += share.tokens;
      state.known += share.logits ? 1 : 0;
      state.generated += share.logits ? 1 : 0;
    }
  }

  stagecraft::RandomStream& random_;
  Habit habit_;
  Trace trace_;
  std::vector<State> states_;
  int64_t step_ = 0;
  bool distorted_ = false;
};

}  // namespace

const std::vector<HabitInfo>& habits() {
  static const std::vector<HabitInfo> all = {
      {Habit::usual, "the stage's way", Violation::none},
      {Habit::last_first, "serves those that run from the last to the first", Violation::none},
      {Habit::shuffled, "tells its shares in any order", Violation::none},
      {Habit::one_too_many, "computes one token more than the budget", Violation::over_budget},
      {Habit::two_shares, "gives a request two shares in a step", Violation::twice},
      {Habit::too_early, "serves a request before it arrives", Violation::absent},
      {Habit::too_late, "serves a request that has ended", Violation::absent},
      {Habit::skips, "skips a token between two chunks", Violation::wrong_tokens},
      {Habit::computes_again, "computes a token again", Violation::wrong_tokens},
      {Habit::beyond_the_end, "computes a token that nobody knows yet", Violation::wrong_tokens},
      {Habit::empty_share, "gives a share without tokens", Violation::wrong_tokens},
      {Habit::logits_too_early, "asks for logits in the middle of a prompt", Violation::wrong_logits},
      {Habit::logits_forgotten, "forgets the logits of a prompt's last chunk", Violation::wrong_logits},
      {Habit::a_place_too_many, "lets one request more run than may", Violation::crowded},
      {Habit::shortest_first, "lets the shortest prompt in first", Violation::out_of_turn},
      {Habit::newcomers_first, "serves newcomers before those that run", Violation::passed_over},
      {Habit::whole_prompts, "lets a prompt in only if it fits whole", Violation::idle},
      {Habit::lock_step, "lets nobody in until all have ended", Violation::idle},
      {Habit::takes_a_break, "forgets one that runs, for some steps", Violation::idle},
      {Habit::gives_up, "ends before the last request has", Violation::lost},
  };
  return all;
}

Trace schedule(stagecraft::RandomStream& random, Habit habit) {
  constexpr int kMostTries = 1000;
  for (int i = 0; i < kMostTries; ++i) {
    Trace trace = Scheduler(random, habit).run();
    if (model_verdict(trace).what == habits()[size_t(habit)].shows) return trace;
  }
  throw std::logic_error("no workload shows what is wrong with this scheduler");
}

namespace {

/// One question for each violation, in the order of their numbers; each looks at the whole step.
class Judge {
 public:
  explicit Judge(const Trace& trace) : trace_(trace), states_(trace.jobs.size()) {
    for (size_t id = 0; id < states_.size(); ++id) states_[id].known = trace.jobs[id].prompt;
  }

  Verdict verdict() {
    for (size_t step = 0; step < trace_.steps.size(); ++step) {
      const Violation what = look_at(int64_t(step), trace_.steps[step]);
      if (what != Violation::none) return {int64_t(step), what};
      for (const Share& share : trace_.steps[step]) {
        State& state = states_[size_t(share.id)];
        state.has_begun = true;
        state.computed += share.tokens;
        state.known += share.logits ? 1 : 0;
        state.generated += share.logits ? 1 : 0;
      }
    }
    for (size_t id = 0; id < states_.size(); ++id) {
      if (states_[id].generated < trace_.jobs[id].output) return {int64_t(trace_.steps.size()), Violation::lost};
    }
    return {};
  }

 private:
  bool has_ended(size_t id) const { return states_[id].generated >= trace_.jobs[id].output; }

  Violation look_at(int64_t step, const Plan& plan) const {
    std::vector<int64_t> tokens(states_.size(), 0), shares(states_.size(), 0);
    int64_t left = trace_.budget;
    Violation worst = Violation::none;
    const auto note = [&](bool wrong, Violation what) {
      if (wrong && (worst == Violation::none || what < worst)) worst = what;
    };
    for (const Share& share : plan) {
      const size_t id = size_t(share.id);
      const State& state = states_[id];
      left -= share.tokens;
      tokens[id] += share.tokens;
      note(++shares[id] > 1, Violation::twice);
      note(step < trace_.jobs[id].arrival || has_ended(id), Violation::absent);
      note(share.tokens < 1 || share.first != state.computed || share.first + share.tokens > state.known,
           Violation::wrong_tokens);
      note(share.logits != (share.first + share.tokens == state.known), Violation::wrong_logits);
    }
    note(left < 0, Violation::over_budget);
    std::vector<size_t> running, newcomers, waiting;
    for (size_t id = 0; id < states_.size(); ++id) {
      if (step < trace_.jobs[id].arrival || has_ended(id)) continue;
      (states_[id].has_begun ? running : shares[id] > 0 ? newcomers : waiting).push_back(id);
    }
    const int64_t places = trace_.max_running - int64_t(running.size() + newcomers.size());
    note(places < 0, Violation::crowded);
    note(!newcomers.empty() && !waiting.empty() && waiting.front() < newcomers.back(), Violation::out_of_turn);
    const auto unserved = [&](size_t id) { return shares[id] == 0; };
    note(!newcomers.empty() && std::any_of(running.begin(), running.end(), unserved), Violation::passed_over);
    const auto wants_more = [&](size_t id) { return tokens[id] < states_[id].known - states_[id].computed; };
    const bool anybody = std::any_of(running.begin(), running.end(), wants_more) ||
                         std::any_of(newcomers.begin(), newcomers.end(), wants_more) ||
                         (places > 0 && !waiting.empty());
    note(left > 0 && anybody, Violation::idle);
    return worst;
  }

  const Trace& trace_;
  std::vector<State> states_;
};

}  // namespace

Verdict model_verdict(const Trace& trace) { return Judge(trace).verdict(); }

}  // namespace lab04
