// must fail: lab00.t3.c2: race in shared memory
// The halvings do not wait for each other.
// >>> LAB lab00.t3
__shared__ float partial[kThreads];
const int t = int(threadIdx.x);
float mine = 0.0f;
for (int i = int(blockIdx.x) * kThreads + t; i < n; i += int(gridDim.x) * kThreads) mine += x[i];
partial[t] = mine;
__syncthreads();
for (int half = kThreads / 2; half > 0; half /= 2) {
  if (t < half) partial[t] += partial[t + half];
}
__syncthreads();
if (t == 0) atomicAdd(sum, partial[0]);
// <<< LAB lab00.t3
