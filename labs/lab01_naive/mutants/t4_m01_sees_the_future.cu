// must fail: lab01.t4.c1: out[
// All keys are seen, later ones too.
// >>> LAB lab01.t4
const int query = int(blockIdx.x * blockDim.x + threadIdx.x);
if (query >= rows * heads) return;
const int row = query / heads, head = query % heads / (heads / kv_heads);
const float* mine = q + query * head_dim;
float* result = out + query * head_dim;
float largest = -stagecraft::kInfinity;
for (int k = 0; k < rows; ++k) {
  largest = fmaxf(largest, dot(mine, keys + (k * kv_heads + head) * head_dim, head_dim) * scale);
}
float sum = 0.0f;
for (int d = 0; d < head_dim; ++d) result[d] = 0.0f;
for (int k = 0; k < rows; ++k) {
  const int at = (k * kv_heads + head) * head_dim;
  const float weight = stagecraft::exact_exp(dot(mine, keys + at, head_dim) * scale - largest);
  sum += weight;
  for (int d = 0; d < head_dim; ++d) result[d] = fmaf(weight, values[at + d], result[d]);
}
for (int d = 0; d < head_dim; ++d) result[d] /= sum;
// <<< LAB lab01.t4
