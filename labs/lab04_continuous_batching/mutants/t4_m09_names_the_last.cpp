// must fail: lab04.t4.c3: step
// The last wrong step is told, not the first.
// >>> LAB lab04.t4/judge
Books books(trace);
Verdict last;
for (size_t step = 0; step < trace.steps.size(); ++step) {
  const Violation what = books.check(int64_t(step), trace.steps[step]);
  if (what != Violation::none) last = {int64_t(step), what};
  books.commit(trace.steps[step]);
}
if (!books.all_ended() && last.what == Violation::none) return {int64_t(trace.steps.size()), Violation::lost};
return last;
// <<< LAB lab04.t4/judge
