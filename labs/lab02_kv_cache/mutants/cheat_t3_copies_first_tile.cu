// must get nothing: lab02.t3
// The first tile, not divided.
// >>> LAB lab02.t3
for (int d = int(threadIdx.x); d < head_dim; d += kThreads) out[query * head_dim + d] = values[d];
// <<< LAB lab02.t3
