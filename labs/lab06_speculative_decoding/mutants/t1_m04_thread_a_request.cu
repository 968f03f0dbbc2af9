// must fail: lab06.t1.c3: sectors moved by loads
// A thread a request: in each step the 32 threads of a warp read from 32 places.
// >>> LAB lab06.t1
const int block = int(blockIdx.x) * kWarpsPerBlock * kWarp;
const int request = block + int(threadIdx.y) * kWarp + int(threadIdx.x);
if (request >= requests) return;
const int first = row_start[request];
const int last = row_start[request + 1] - 1;
int row = first;
while (row < last && draft[row] == drawn[row]) ++row;
accepted[request] = row - first;
// <<< LAB lab06.t1
