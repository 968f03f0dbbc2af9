// must fail: lab00.t2.c1: out[
// The last, incomplete block is not launched.
// >>> LAB lab00.t2/launch
const dim3 grid(rows* width / kThreads + (rows * width < kThreads));
simt::launch(scale_rows_kernel, {grid, dim3(kThreads)}, x, factors, out, rows, width);
// <<< LAB lab00.t2/launch
