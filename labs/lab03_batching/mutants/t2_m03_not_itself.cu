// must fail: lab03.t2.c1: out[
// The row does not see its own token.
// >>> LAB lab03.t2/row
const int lane = int(threadIdx.x);
const int64_t query = int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
if (query >= int64_t(rows.count) * heads) return;  // the whole warp leaves
const int64_t row = query / heads;
const int head = int(query % heads) / (heads / kv_heads);
float* result = out + query * head_dim;
const int32_t sequence = rows.sequence[row];
if (sequence == kPaddingRow) {
  for (int d = lane; d < head_dim; d += kWarp) result[d] = 0.0f;
  return;
}

const int64_t stride = int64_t(kv_heads) * head_dim;
const int seen = max(rows.positions[row], 1);
Attended all;
for (int first = 0; first < seen; first += kAttentionTile) {
  const int64_t at = (rows.first_slot[sequence] + first) * stride + head * head_dim;
  const Attended tile = attend_tile(q + query * head_dim, keys + at, values + at, stride,
                                    min(kAttentionTile, seen - first), head_dim, scale, weights_of_warps[threadIdx.y]);
  if (first == 0) {
    all = tile;
  } else {
    take(all, tile);
  }
}
for (int d = lane, i = 0; d < head_dim; d += kWarp, ++i) result[d] = all.values[i] / all.softmax.sum;
// <<< LAB lab03.t2/row
