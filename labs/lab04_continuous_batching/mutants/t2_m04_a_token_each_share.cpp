// must fail: lab04.t2.c3: running known
// Each share brings a token, also the chunk in the middle of a prompt.
// >>> LAB lab04.t2/commit
for (const Share& share : plan) {
  for (Request& request : batch.running) {
    if (request.id != share.id) continue;
    request.computed += share.tokens;
    ++request.known;
  }
}
// <<< LAB lab04.t2/commit
