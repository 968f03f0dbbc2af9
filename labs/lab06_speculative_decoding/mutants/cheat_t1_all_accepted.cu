// must get nothing: lab06.t1
// Everything is accepted, and nothing is read of it.
// >>> LAB lab06.t1
const int request = int(blockIdx.x) * kWarpsPerBlock + int(threadIdx.y);
if (request >= requests) return;
if (threadIdx.x == 0) accepted[request] = row_start[request + 1] - row_start[request] - 1;
// <<< LAB lab06.t1
