// must fail: lab01.t2.c1: x[
// The right one is computed from the new left one.
// >>> LAB lab01.t2
const int half = head_dim / 2;
const int pair = int(blockIdx.x * blockDim.x + threadIdx.x);
if (pair >= rows * heads * half) return;
const int i = pair % half, head = pair / half;
const int angle = positions[head / heads] * half + i;
float* left = x + head * head_dim + i;
left[0] = left[0] * cosines[angle] - left[half] * sines[angle];
left[half] = left[half] * cosines[angle] + left[0] * sines[angle];
// <<< LAB lab01.t2
