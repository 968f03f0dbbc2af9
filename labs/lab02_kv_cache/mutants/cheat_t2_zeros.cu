// must get nothing: lab02.t2
// Zeros everywhere.
// >>> LAB lab02.t2/load

// <<< LAB lab02.t2/load
// >>> LAB lab02.t2/scores
for (int head = warp; head < group; head += kWarps) {
  if (lane == 0) out.softmaxes[state_of(head)] = {0.0f, 0.0f};
}
// <<< LAB lab02.t2/scores
// >>> LAB lab02.t2/values
for (int head = warp; head < group; head += kWarps) {
  for (int d = lane; d < head_dim; d += kWarp) out.values[state_of(head) * head_dim + d] = 0.0f;
}
// <<< LAB lab02.t2/values
