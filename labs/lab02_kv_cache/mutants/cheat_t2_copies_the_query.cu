// must get nothing: lab02.t2
// The query as the result.
// >>> LAB lab02.t2/load

// <<< LAB lab02.t2/load
// >>> LAB lab02.t2/scores
for (int head = warp; head < group; head += kWarps) {
  if (lane == 0) out.softmaxes[state_of(head)] = {q[0], float(count)};
}
// <<< LAB lab02.t2/scores
// >>> LAB lab02.t2/values
for (int head = warp; head < group; head += kWarps) {
  for (int d = lane; d < head_dim; d += kWarp) {
    out.values[state_of(head) * head_dim + d] = q[(int64_t(row) * heads.heads + first_head + head) * head_dim + d];
  }
}
// <<< LAB lab02.t2/values
