// must fail: lab01.t1.c3: out[
// Right to five digits: but the sum runs from front to back, and engines would part.
// >>> LAB lab01.t1
const int row = int(blockIdx.x * blockDim.x + threadIdx.x);
if (row >= rows) return;
const float* x_row = x + int64_t(row) * width;
float* out_row = out + int64_t(row) * width;
float squares = 0.0f;
for (int i = 0; i < width; ++i) squares += x_row[i] * x_row[i];
const float scale = 1.0f / sqrtf(squares / float(width) + epsilon);
for (int i = 0; i < width; ++i) out_row[i] = scale * to_float(weight[i]) * x_row[i];
// <<< LAB lab01.t1
