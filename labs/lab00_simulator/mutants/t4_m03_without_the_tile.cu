// must fail: lab00.t4.c3: bytes asked for by global loads
// No race, because nothing is shared: everything is read three times.
// >>> LAB lab00.t4
const int i = int(blockIdx.x) * kThreads + int(threadIdx.x), last = n - 1;
if (i <= last) out[i] = (x[i > 0 ? i - 1 : 0] + x[i] + x[i < last ? i + 1 : last]) / 3.0f;
// <<< LAB lab00.t4
