// must fail: lab01.t1.c1: out[
// The weight is chosen by row.
// >>> LAB lab01.t1
const int row = int(blockIdx.x * blockDim.x + threadIdx.x);
if (row >= rows) return;
const float* x_row = x + int64_t(row) * width;
float* out_row = out + int64_t(row) * width;
const float scale = stagecraft::rms_scale(stagecraft::exact_dot(x_row, x_row, width), width, epsilon);
for (int i = 0; i < width; ++i) out_row[i] = x_row[i] * scale * to_float(weight[row % width]);
// <<< LAB lab01.t1
