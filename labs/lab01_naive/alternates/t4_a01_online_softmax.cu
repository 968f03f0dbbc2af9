// must pass: lab01.t4
// One walk over the keys: what was added up is scaled down when a larger score comes.
// >>> LAB lab01.t4
const int query = int(blockIdx.x * blockDim.x + threadIdx.x);
if (query >= rows * heads) return;
const int row = query / heads, head = query % heads / (heads / kv_heads);
float* result = out + query * head_dim;
for (int d = 0; d < head_dim; ++d) result[d] = 0.0f;
float largest = -stagecraft::kInfinity, sum = 0.0f;
for (int k = 0; k <= row; ++k) {
  const int at = (k * kv_heads + head) * head_dim;
  const float score = dot(q + query * head_dim, keys + at, head_dim) * scale;
  const float next = fmaxf(largest, score);
  const float shrink = stagecraft::exact_exp(largest - next), weight = stagecraft::exact_exp(score - next);
  sum = sum * shrink + weight;
  for (int d = 0; d < head_dim; ++d) result[d] = result[d] * shrink + weight * values[at + d];
  largest = next;
}
for (int d = 0; d < head_dim; ++d) result[d] /= sum;
// <<< LAB lab01.t4
