// must fail: lab01.t3.c1: out[
// A column of the weights for a row.
// >>> LAB lab01.t3/naive
const int o = int(blockIdx.x * blockDim.x + threadIdx.x), row = int(blockIdx.y);
if (o >= out_width) return;
float sum = 0.0f;
for (int k = 0; k < in; ++k) sum = fmaf(x[row * in + k], to_float(weight[k * out_width + o]), sum);
out[row * out_width + o] = sum;
// <<< LAB lab01.t3/naive
