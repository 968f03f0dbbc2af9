// must pass: lab00.t4
// A barrier more than needed, and the ends by other threads.
// >>> LAB lab00.t4
const int t = int(threadIdx.x), begin = int(blockIdx.x) * kThreads, last = n - 1;
const int i = begin + t, end = begin + kThreads - 1 < last ? begin + kThreads - 1 : last;
if (i <= last) tile[t + 1] = x[i];
__syncthreads();
if (t == 31) tile[0] = begin > 0 ? x[begin - 1] : tile[1];
if (t == 64) tile[end - begin + 2] = end < last ? x[end + 1] : tile[end - begin + 1];
__syncthreads();
if (i <= last) out[i] = (tile[t] + tile[t + 1] + tile[t + 2]) / 3.0f;
// <<< LAB lab00.t4
