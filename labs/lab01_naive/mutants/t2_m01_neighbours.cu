// must fail: lab01.t2.c1: x[
// Neighbours are taken for a pair, as in the original paper; Llama's files pair the halves.
// >>> LAB lab01.t2
const int half = head_dim / 2;
const int pair = int(blockIdx.x * blockDim.x + threadIdx.x);
if (pair >= rows * heads * half) return;
const int i = pair % half, head = pair / half;
const int angle = positions[head / heads] * half + i;
float* left = x + head * head_dim + 2 * i;
const stagecraft::RotatedPair turned = stagecraft::rotate(left[0], left[1], cosines[angle], sines[angle]);
left[0] = turned.left;
left[1] = turned.right;
// <<< LAB lab01.t2
