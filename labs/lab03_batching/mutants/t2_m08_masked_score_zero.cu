// must fail: lab03.t2.c1: out[
// A key that is not seen gets score 0: it takes part in the softmax with e^0.
// >>> LAB lab03.t2/tile
const int lane = int(threadIdx.x);
Attended tile;
float score[2];
for (int half = 0; half < 2; ++half) {
  const int key = lane + half * kWarp;
  if (key >= visible) continue;
  score[half] = stagecraft::exact_dot(query, keys + key * stride, head_dim) * scale;
  tile.softmax.max = fmaxf(tile.softmax.max, score[half]);
}
for (int step = kWarp / 2; step > 0; step /= 2) {
  tile.softmax.max = fmaxf(tile.softmax.max, __shfl_xor_sync(kAllLanes, tile.softmax.max, step));
}

float weight[2] = {};
for (int half = 0; half < 2; ++half) {
  const int key = lane + half * kWarp;
  if (key >= visible) score[half] = 0.0f;
  weight[half] = stagecraft::exact_exp(score[half] - tile.softmax.max);
  weights[key] = weight[half];
}
tile.softmax.sum = weight[0] + weight[1];
for (int step = kWarp / 2; step > 0; step /= 2) {
  tile.softmax.sum += __shfl_xor_sync(kAllLanes, tile.softmax.sum, step);
}

__syncwarp();  // every lane reads the weights of all
for (int key = 0; key < visible; ++key) {
  for (int d = lane, i = 0; d < head_dim; d += kWarp, ++i) {
    tile.values[i] = fmaf(weights[key], to_float(values[key * stride + d]), tile.values[i]);
  }
}
__syncwarp();  // the next tile overwrites them
return tile;
// <<< LAB lab03.t2/tile
