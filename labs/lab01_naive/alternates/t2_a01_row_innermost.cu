// must pass: lab01.t2
// The row changes fastest from thread to thread, then the head, then the pair; the rotation is written out.
// >>> LAB lab01.t2
const int half = head_dim / 2;
const int thread = int(blockIdx.x * blockDim.x + threadIdx.x);
if (thread < rows * heads * half) {
  const int row = thread % rows, head = thread / rows % heads, i = thread / rows / heads;
  const float cosine = cosines[positions[row] * half + i], sine = sines[positions[row] * half + i];
  float& left = x[(row * heads + head) * head_dim + i];
  float& right = x[(row * heads + head) * head_dim + half + i];
  const float old_left = left, old_right = right;
  left = fmaf(old_left, cosine, -(old_right * sine));
  right = fmaf(old_right, cosine, old_left * sine);
}
// <<< LAB lab01.t2
