// must get nothing: lab05.t2
// Nothing is written, and all weights are zero.
// >>> LAB lab05.t2/write
// <<< LAB lab05.t2/write
// >>> LAB lab05.t2/scores
for (int64_t p = tile; p < end; ++p) {
  if (threadIdx.x == 0) weights[p - tile] = 0.0f;
}
// <<< LAB lab05.t2/scores
// >>> LAB lab05.t2/values
// <<< LAB lab05.t2/values
