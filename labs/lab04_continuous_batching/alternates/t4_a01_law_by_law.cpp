// must pass: lab04.t4
// Law by law instead of step by step: each function finds the first step at which its law is broken, then the earliest wins.
// >>> LAB lab04.t4/books
/// Tokens that are computed, known and generated of each job before step `step`.
struct Progress {
  int64_t computed, known, generated;
};

Progress before(const Trace& trace, size_t step, size_t id) {
  Progress progress{0, trace.jobs[id].prompt, 0};
  for (size_t s = 0; s < step; ++s) {
    for (const Share& share : trace.steps[s]) {
      if (share.id != int64_t(id)) continue;
      progress.computed += share.tokens;
      progress.known += share.logits ? 1 : 0;
      progress.generated += share.logits ? 1 : 0;
    }
  }
  return progress;
}

Violation broken_in(const Trace& trace, size_t step) {
  const Plan& plan = trace.steps[step];
  const size_t jobs = trace.jobs.size();
  std::vector<Progress> progress;
  std::vector<int64_t> tokens(jobs, 0), shares(jobs, 0);
  int64_t sum = 0;
  for (size_t id = 0; id < jobs; ++id) progress.push_back(before(trace, step, id));
  for (const Share& share : plan) {
    tokens[size_t(share.id)] += share.tokens;
    ++shares[size_t(share.id)];
    sum += share.tokens;
  }
  const auto ended = [&](size_t id) { return progress[id].generated == trace.jobs[id].output; };
  const auto there = [&](size_t id) { return trace.jobs[id].arrival <= int64_t(step) && !ended(id); };
  const auto any_share = [&](auto wrong) { return std::any_of(plan.begin(), plan.end(), wrong); };
  const auto any_job = [&](auto is) {
    for (size_t id = 0; id < jobs; ++id) {
      if (there(id) && is(id)) return true;
    }
    return false;
  };
  const auto old = [&](size_t id) { return progress[id].computed > 0; };
  const auto fresh = [&](size_t id) { return !old(id) && shares[id] > 0; };
  const auto waits = [&](size_t id) { return !old(id) && shares[id] == 0; };
  int64_t running = 0;
  for (size_t id = 0; id < jobs; ++id) running += there(id) && !waits(id);

  if (sum > trace.budget) return Violation::over_budget;
  if (std::any_of(shares.begin(), shares.end(), [](int64_t n) { return n > 1; })) return Violation::twice;
  if (any_share([&](const Share& s) { return !there(size_t(s.id)); })) return Violation::absent;
  if (any_share([&](const Share& s) {
        const Progress& p = progress[size_t(s.id)];
        return s.tokens < 1 || s.first != p.computed || s.first + s.tokens > p.known;
      }))
    return Violation::wrong_tokens;
  if (any_share([&](const Share& s) { return s.logits == (s.first + s.tokens < progress[size_t(s.id)].known); }))
    return Violation::wrong_logits;
  if (running > trace.max_running) return Violation::crowded;
  bool turn = false;
  for (size_t id = 0; id < jobs; ++id) {
    for (size_t earlier = 0; earlier < id; ++earlier) {
      turn = turn || (there(id) && fresh(id) && there(earlier) && waits(earlier));
    }
  }
  if (turn) return Violation::out_of_turn;
  if (any_job(fresh) && any_job([&](size_t id) { return old(id) && shares[id] == 0; })) return Violation::passed_over;
  const auto wants = [&](size_t id) { return !waits(id) && progress[id].computed + tokens[id] < progress[id].known; };
  const bool place = running < trace.max_running && any_job(waits);
  return sum < trace.budget && (place || any_job(wants)) ? Violation::idle : Violation::none;
}
// <<< LAB lab04.t4/books
// >>> LAB lab04.t4/judge
for (size_t step = 0; step < trace.steps.size(); ++step) {
  const Violation what = broken_in(trace, step);
  if (what != Violation::none) return {int64_t(step), what};
}
for (size_t id = 0; id < trace.jobs.size(); ++id) {
  const bool has_all = before(trace, trace.steps.size(), id).generated >= trace.jobs[id].output;
  if (!has_all) return {int64_t(trace.steps.size()), Violation::lost};
}
return {};
// <<< LAB lab04.t4/judge
