// must fail: lab04.t2.c3: running
// The shares are taken for the running requests in their order.
// >>> LAB lab04.t2/commit
for (size_t i = 0; i < plan.size(); ++i) {
  batch.running[i].computed += plan[i].tokens;
  batch.running[i].known += plan[i].logits ? 1 : 0;
}
// <<< LAB lab04.t2/commit
