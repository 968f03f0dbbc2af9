// must get nothing: lab00.t2
// Nothing is launched.
// >>> LAB lab00.t2/launch
if (rows > 0) return;
simt::launch(scale_rows_kernel, {dim3(1), dim3(kThreads)}, x, factors, out, rows, width);
// <<< LAB lab00.t2/launch
