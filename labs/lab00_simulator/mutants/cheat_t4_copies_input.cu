// must get nothing: lab00.t4
// No neighbour, no race.
// >>> LAB lab00.t4
const int i = int(blockIdx.x) * kThreads + int(threadIdx.x);
if (i < n) out[i] = x[i];
// <<< LAB lab00.t4
