// must get nothing: lab04.t5
// Every row its own sequence; the first rows as they stand.
// >>> LAB lab04.t5/expand
const int row = int(blockIdx.x * blockDim.x + threadIdx.x);
if (row >= rows) return;
sequence[row] = row % sequences;
position[row] = first[row % sequences];
// <<< LAB lab04.t5/expand
// >>> LAB lab04.t5/gather
const int column = int(blockIdx.x * blockDim.x + threadIdx.x), row = int(blockIdx.y);
if (column >= width) return;
out[row * width + column] = x[row % (wanted[0] + 1) * width + column];
// <<< LAB lab04.t5/gather
