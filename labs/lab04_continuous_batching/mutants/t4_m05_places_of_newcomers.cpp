// must fail: lab04.t4.c3: step
// Newcomers are counted one step too late.
// >>> LAB lab04.t4/books
/// What is known of a job after the steps so far.
struct State {
  int64_t known = 0, computed = 0, generated = 0;
  int64_t shares = 0;      // in the step that is looked at
  int64_t tokens = 0;      // of these
  bool has_begun = false;  // in an earlier step
};

class Books {
 public:
  explicit Books(const Trace& trace) : trace_(trace), states_(trace.jobs.size()) {
    for (size_t id = 0; id < states_.size(); ++id) states_[id].known = trace.jobs[id].prompt;
  }

  Violation check(int64_t step, const Plan& plan) {
    int64_t tokens = 0;
    for (State& state : states_) state.shares = state.tokens = 0;
    for (const Share& share : plan) {
      ++states_[size_t(share.id)].shares;
      states_[size_t(share.id)].tokens += share.tokens;
      tokens += share.tokens;
    }
    if (tokens > trace_.budget) return Violation::over_budget;
    for (const State& state : states_) {
      if (state.shares > 1) return Violation::twice;
    }
    for (const Share& share : plan) {
      if (step < trace_.jobs[size_t(share.id)].arrival || has_ended(size_t(share.id))) return Violation::absent;
    }
    for (const Share& share : plan) {
      const State& state = states_[size_t(share.id)];
      const bool in_range = share.first == state.computed && share.first + share.tokens <= state.known;
      if (share.tokens < 1 || !in_range) return Violation::wrong_tokens;
    }
    for (const Share& share : plan) {
      if (share.logits != (share.first + share.tokens == states_[size_t(share.id)].known))
        return Violation::wrong_logits;
    }
    return check_fairness(step, trace_.budget - tokens);
  }

  void commit(const Plan& plan) {
    for (const Share& share : plan) {
      State& state = states_[size_t(share.id)];
      state.has_begun = true;
      state.computed += share.tokens;
      if (!share.logits) continue;
      ++state.known;
      ++state.generated;
    }
  }

  bool all_ended() const {
    for (size_t id = 0; id < states_.size(); ++id) {
      if (!has_ended(id)) return false;
    }
    return true;
  }

 private:
  bool has_ended(size_t id) const { return states_[id].generated == trace_.jobs[id].output; }

  Violation check_fairness(int64_t step, int64_t left) const {
    int64_t running = 0, begun = 0;
    bool somebody_waits = false, out_of_turn = false, let_in = false, passed_over = false, wants_more = false;
    for (size_t id = 0; id < states_.size(); ++id) {
      const State& state = states_[id];
      if (step < trace_.jobs[id].arrival || has_ended(id)) continue;
      const bool newcomer = !state.has_begun && state.shares > 0;
      const bool waits = !state.has_begun && state.shares == 0;
      out_of_turn = out_of_turn || (newcomer && somebody_waits);
      somebody_waits = somebody_waits || waits;
      let_in = let_in || newcomer;
      passed_over = passed_over || (state.has_begun && state.shares == 0);
      running += waits ? 0 : 1;
      begun += state.has_begun ? 1 : 0;
      wants_more = wants_more || (!waits && state.tokens < state.known - state.computed);
    }
    if (begun > trace_.max_running) return Violation::crowded;
    if (out_of_turn) return Violation::out_of_turn;
    if (let_in && passed_over) return Violation::passed_over;
    const bool could_let_in = somebody_waits && running < trace_.max_running;
    return left > 0 && (wants_more || could_let_in) ? Violation::idle : Violation::none;
  }

  const Trace& trace_;
  std::vector<State> states_;  // by id
};
// <<< LAB lab04.t4/books
