// must fail: lab00.t4.c2: shared memory
// Nothing was repaired.
// >>> LAB lab00.t4
const int t = int(threadIdx.x);
const int i = int(blockIdx.x) * kThreads + t;
const int last = n - 1;
if (i <= last) tile[t + 1] = x[i];
if (t == 0) tile[0] = x[i > 0 ? i - 1 : 0];
if (i <= last && (t == kThreads - 1 || i == last)) tile[t + 2] = x[i < last ? i + 1 : last];
if (i <= last) out[i] = (tile[t] + tile[t + 1] + tile[t + 2]) / 3.0f;
// <<< LAB lab00.t4
