// must fail: lab00.t3.c4: shared_load wavefronts
// Neighbours that are a power of two apart: right, and in few banks.
// >>> LAB lab00.t3
__shared__ float partial[kThreads];
const int t = int(threadIdx.x);
float mine = 0.0f;
for (int i = int(blockIdx.x) * kThreads + t; i < n; i += int(gridDim.x) * kThreads) mine += x[i];
partial[t] = mine;
__syncthreads();
for (int stride = 1; stride < kThreads; stride *= 2) {
  const int i = 2 * stride * t;
  if (i + stride < kThreads) partial[i] += partial[i + stride];
  __syncthreads();
}
if (t == 0) atomicAdd(sum, partial[0]);
// <<< LAB lab00.t3
