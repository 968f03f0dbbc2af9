// must fail: lab00.t3.c1: sum[0]
// What lies beyond one element for each thread of the grid is left out.
// >>> LAB lab00.t3
__shared__ float partial[kThreads];
const int t = int(threadIdx.x), i = int(blockIdx.x) * kThreads + t;
partial[t] = i < n ? x[i] : 0.0f;
__syncthreads();
for (int half = kThreads / 2; half > 0; half /= 2) {
  if (t < half) partial[t] += partial[t + half];
  __syncthreads();
}
if (t == 0) atomicAdd(sum, partial[0]);
// <<< LAB lab00.t3
