// must fail: lab04.t3.c2: TTFT
// An idle engine looks again every millisecond instead of when the next request comes.
// >>> LAB lab04.t3/loop
std::vector<std::vector<int64_t>> token_ns(arrivals.size());
Batch batch;
size_t arrived = 0;
int64_t now = 0;
for (;;) {
  for (; arrived < arrivals.size() && arrivals[arrived].at_ns <= now; ++arrived) {
    const int64_t prompt = arrivals[arrived].prompt;
    batch.waiting.push_back({.id = int64_t(arrived), .prompt = prompt, .known = prompt});
  }
  const Plan plan = plan_step(batch, limits.budget, limits.max_running, rules);
  if (plan.empty()) {
    if (arrived == arrivals.size()) return token_ns;
    now += 1000000;
    continue;
  }
  int64_t tokens = 0;
  for (const Share& share : plan) tokens += share.tokens;
  now += cost.step_ns(tokens);
  for (const Share& share : plan) {
    if (share.logits) token_ns[size_t(share.id)].push_back(now);
  }
  commit(batch, plan);
  std::erase_if(batch.running, [&](const Request& request) {
    return request.known - request.prompt == arrivals[size_t(request.id)].output;
  });
}
// <<< LAB lab04.t3/loop
