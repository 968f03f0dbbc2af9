// must pass: lab03.t2
// Lane 0 walks the visible keys alone, so there is nothing to mask; the others wait, and take the sums of values.
// >>> LAB lab03.t2/tile
const int lane = int(threadIdx.x);
Attended tile;
if (lane == 0) {
  float sums[kAttentionTile] = {};
  for (int key = 0; key < visible; ++key) {
    sums[key] = stagecraft::exact_dot(query, keys + key * stride, head_dim) * scale;
    tile.softmax.max = fmaxf(tile.softmax.max, sums[key]);
  }
  for (int key = 0; key < visible; ++key) {
    sums[key] = stagecraft::exact_exp(sums[key] - tile.softmax.max);
    weights[key] = sums[key];
  }
  tile.softmax.sum = stagecraft::exact_fold(sums);
}
__syncwarp();
tile.softmax.max = __shfl_sync(kAllLanes, tile.softmax.max, 0);
tile.softmax.sum = __shfl_sync(kAllLanes, tile.softmax.sum, 0);
for (int i = 0; i < kElementsPerLane; ++i) {
  const int d = lane + i * kWarp;
  for (int key = 0; key < visible && d < head_dim; ++key) {
    tile.values[i] = fmaf(weights[key], to_float(values[key * stride + d]), tile.values[i]);
  }
}
__syncwarp();
return tile;
// <<< LAB lab03.t2/tile
