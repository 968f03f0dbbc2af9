// must pass: lab04.t2
// By cases, and requests looked up in turn.
// >>> LAB lab04.t2/chunk
Share share{request.id, request.computed, request.known - request.computed, true};
const int64_t most = left < max_chunk ? left : max_chunk;
if (share.tokens > most) {
  share.tokens = most;
  share.logits = false;
}
return share;
// <<< LAB lab04.t2/chunk
// >>> LAB lab04.t2/commit
for (Request& request : batch.running) {
  for (const Share& share : plan) {
    if (share.id != request.id) continue;
    request.computed = share.first + share.tokens;
    if (share.logits) request.known = request.computed + 1;
  }
}
// <<< LAB lab04.t2/commit
