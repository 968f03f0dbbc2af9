// must fail: lab05.t5.c4: blocks alive after each step
// Sources are kept for ever.
// >>> LAB lab05.t5/step
for (const Copy& copy : copies_) {
  simt::launch(copy_kernel, {dim3(1), dim3(unsigned(copy.count))}, copy.from, copy.to);
}
// <<< LAB lab05.t5/step
