// must fail: lab01.t2.c1: x[
// The row's number is taken for its position: right only for a prompt alone.
// >>> LAB lab01.t2
const int half = head_dim / 2;
const int pair = int(blockIdx.x * blockDim.x + threadIdx.x);
if (pair >= rows * heads * half) return;
const int i = pair % half, head = pair / half;
const int angle = head / heads * half + i;
float* left = x + head * head_dim + i;
const stagecraft::RotatedPair turned = stagecraft::rotate(left[0], left[half], cosines[angle], sines[angle]);
left[0] = turned.left;
left[half] = turned.right;
// <<< LAB lab01.t2
