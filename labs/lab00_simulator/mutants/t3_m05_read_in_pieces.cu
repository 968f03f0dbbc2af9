// must fail: lab00.t3.c3: sectors moved by loads
// Each thread takes a run of its own: neighbouring threads read far apart.
// >>> LAB lab00.t3
__shared__ float partial[kThreads];
const int t = int(threadIdx.x), threads = int(gridDim.x) * kThreads;
const int run = (n + threads - 1) / threads, first = (int(blockIdx.x) * kThreads + t) * run;
float mine = 0.0f;
for (int i = first; i < first + run && i < n; ++i) mine += x[i];
partial[t] = mine;
__syncthreads();
for (int half = kThreads / 2; half > 0; half /= 2) {
  if (t < half) partial[t] += partial[t + half];
  __syncthreads();
}
if (t == 0) atomicAdd(sum, partial[0]);
// <<< LAB lab00.t3
