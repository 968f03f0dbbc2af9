// must fail: lab00.t2.c1: out[
// The kernel has a thread an element, the launch a thread a row.
// >>> LAB lab00.t2/launch
const dim3 grid((rows + kThreads - 1) / kThreads);
simt::launch(scale_rows_kernel, {grid, dim3(kThreads)}, x, factors, out, rows, width);
// <<< LAB lab00.t2/launch
