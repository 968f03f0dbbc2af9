// must fail: lab00.t3.c3: sectors moved by loads
// One thread a block reads, one element a request.
// >>> LAB lab00.t3
__shared__ float partial[1];
if (threadIdx.x != 0) return;
partial[0] = 0.0f;
for (int i = int(blockIdx.x); i < n; i += int(gridDim.x)) partial[0] += x[i];
atomicAdd(sum, partial[0]);
// <<< LAB lab00.t3
