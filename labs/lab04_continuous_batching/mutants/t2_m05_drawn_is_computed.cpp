// must fail: lab04.t2.c3: running computed
// The token just drawn counts as computed: its key is missing for ever.
// >>> LAB lab04.t2/commit
for (const Share& share : plan) {
  for (Request& request : batch.running) {
    if (request.id != share.id) continue;
    request.computed += share.tokens + (share.logits ? 1 : 0);
    request.known += share.logits ? 1 : 0;
  }
}
// <<< LAB lab04.t2/commit
