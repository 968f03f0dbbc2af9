// must get nothing: lab01.t4
// The row's own value: right for row 0 alone.
// >>> LAB lab01.t4
const int query = int(blockIdx.x * blockDim.x + threadIdx.x);
if (query >= rows * heads) return;
const int row = query / heads, head = query % heads / (heads / kv_heads);
for (int d = 0; d < head_dim; ++d) out[query * head_dim + d] = values[(row * kv_heads + head) * head_dim + d];
// <<< LAB lab01.t4
