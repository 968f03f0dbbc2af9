// must fail: lab00.t3.c4: requests to shared memory
// Each thread adds its sum to the result: right, and it waits in line.
// >>> LAB lab00.t3
for (int i = int(blockIdx.x) * kThreads + int(threadIdx.x); i < n; i += int(gridDim.x) * kThreads) atomicAdd(sum, x[i]);
// <<< LAB lab00.t3
