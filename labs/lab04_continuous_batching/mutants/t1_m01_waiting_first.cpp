// must fail: lab04.t1.c1: ids of those that run
// Waiting requests are served first: whoever writes stands still while a prompt is read.
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
const size_t before = batch.running.size();
while (!batch.waiting.empty() && int64_t(batch.running.size()) < max_running) {
  const auto next = batch.waiting.begin() + std::ptrdiff_t(rules.next(batch.waiting));
  if (!serve(*next)) break;
  std::for_each(batch.waiting.begin(), next, [](Request& earlier) { ++earlier.overtaken; });
  batch.running.push_back(*next);
  batch.waiting.erase(next);
}
std::vector<Request> old(batch.running.begin(), batch.running.begin() + std::ptrdiff_t(before));
for (Request* request : service_order(old)) serve(*request);
std::copy(old.begin(), old.end(), batch.running.begin());
return plan;
// <<< LAB lab04.t1/step
