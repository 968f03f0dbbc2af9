// must pass: lab04.t3
// From event to event, the queue walked once; finished requests are moved out one by one.
// >>> LAB lab04.t3/next
size_t best = 0;
for (size_t i = 0; i < waiting.size(); ++i) {
  if (waiting[i].overtaken >= max_overtakes) return i;
  if (waiting[i].prompt < waiting[best].prompt) best = i;
}
return best;
// <<< LAB lab04.t3/next
// >>> LAB lab04.t3/loop
std::vector<std::vector<int64_t>> token_ns(arrivals.size());
Batch batch;
size_t arrived = 0, ended = 0;
int64_t now = 0;
while (ended < arrivals.size()) {
  if (batch.waiting.empty() && batch.running.empty()) now = std::max(now, arrivals[arrived].at_ns);
  while (arrived < arrivals.size() && arrivals[arrived].at_ns <= now) {
    Request request;
    request.id = int64_t(arrived);
    request.prompt = request.known = arrivals[arrived++].prompt;
    batch.waiting.push_back(request);
  }
  const Plan plan = plan_step(batch, limits.budget, limits.max_running, rules);
  int64_t rows = 0;
  for (const Share& share : plan) rows += share.tokens;
  now += cost.step_ns(rows);
  commit(batch, plan);
  for (const Share& share : plan) {
    std::vector<int64_t>& times = token_ns[size_t(share.id)];
    if (share.logits) times.push_back(now);
    if (!share.logits || int64_t(times.size()) < arrivals[size_t(share.id)].output) continue;
    ++ended;
    for (auto request = batch.running.begin(); request != batch.running.end(); ++request) {
      if (request->id != share.id) continue;
      batch.running.erase(request);
      break;
    }
  }
}
return token_ns;
// <<< LAB lab04.t3/loop
