// must get nothing: lab02.t3
// Zeros.
// >>> LAB lab02.t3
for (int d = int(threadIdx.x); d < head_dim; d += kThreads) out[query * head_dim + d] = 0.0f;
// <<< LAB lab02.t3
