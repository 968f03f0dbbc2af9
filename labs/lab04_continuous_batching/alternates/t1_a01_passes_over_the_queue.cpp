// must pass: lab04.t1
// No list of pointers: each time the best of those that have not been asked.
// >>> LAB lab04.t1/order
std::vector<Request*> order;
std::vector<bool> taken(running.size(), false);
for (size_t place = 0; place < running.size(); ++place) {
  size_t best = running.size();
  for (size_t i = 0; i < running.size(); ++i) {
    if (taken[i]) continue;
    if (best == running.size()) {
      best = i;
      continue;
    }
    const bool single = running[i].pending() == 1, best_single = running[best].pending() == 1;
    if (single && (!best_single || running[i].last_served < running[best].last_served)) best = i;
  }
  taken[best] = true;
  order.push_back(&running[best]);
}
return order;
// <<< LAB lab04.t1/order
// >>> LAB lab04.t1/step
Plan plan;
bool somebody_got_nothing = false;
for (Request* request : service_order(batch.running)) {
  const Share share = rules.share(*request, budget);
  if (share.tokens == 0) {
    somebody_got_nothing = true;
    continue;
  }
  request->last_served = ++batch.shares_given;
  budget -= share.tokens;
  plan.push_back(share);
}
if (somebody_got_nothing) return plan;
for (int64_t place = int64_t(batch.running.size()); place < max_running; ++place) {
  if (batch.waiting.empty()) return plan;
  const size_t next = rules.next(batch.waiting);
  Request newcomer = batch.waiting[next];
  const Share share = rules.share(newcomer, budget);
  if (share.tokens == 0) return plan;
  plan.push_back(share);
  budget -= share.tokens;
  newcomer.last_served = ++batch.shares_given;
  batch.running.push_back(newcomer);
  std::vector<Request> left;
  for (size_t i = 0; i < batch.waiting.size(); ++i) {
    if (i == next) continue;
    left.push_back(batch.waiting[i]);
    if (i < next) ++left.back().overtaken;
  }
  batch.waiting = left;
}
return plan;
// <<< LAB lab04.t1/step
