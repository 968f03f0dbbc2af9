// must fail: lab00.t1.c3: sectors moved by loads
// Right, but neighbouring threads take elements that are n / 32 apart.
// >>> LAB lab00.t1
const int t = int(blockIdx.x * blockDim.x + threadIdx.x);
const int apart = (n + 31) / 32;
const int i = t % 32 * apart + t / 32;
if (t / 32 < apart && i < n) sum[i] = a[i] + b[i];
// Rounding leaves out nothing: n elements need apart columns of 32, and the grid may have fewer threads.
for (int more = t + int(gridDim.x * blockDim.x); more < 32 * apart; more += int(gridDim.x * blockDim.x)) {
  const int j = more % 32 * apart + more / 32;
  if (j < n) sum[j] = a[j] + b[j];
}
// <<< LAB lab00.t1
