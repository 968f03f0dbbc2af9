// must fail: lab04.t1.c4: waiting overtaken
// Everybody who still waits is counted as overtaken, also those who came later.
// >>> LAB lab04.t1/step
Plan plan;
const auto serve = [&](Request& request) {
  const Share share = rules.share(request, budget);
  if (share.tokens == 0) return false;
  budget -= share.tokens;
  request.last_served = ++batch.shares_given;
  plan.push_back(share);
  return true;
};
bool all_served = true;
for (Request* request : service_order(batch.running)) {
  if (!serve(*request)) all_served = false;
}
while (all_served && !batch.waiting.empty() && int64_t(batch.running.size()) < max_running) {
  const auto next = batch.waiting.begin() + std::ptrdiff_t(rules.next(batch.waiting));
  if (!serve(*next)) break;
  batch.running.push_back(*next);
  batch.waiting.erase(next);
  for (Request& other : batch.waiting) ++other.overtaken;
}
return plan;
// <<< LAB lab04.t1/step
