// must fail: lab05.t5.c2: which was freed
// Nothing was repaired: the source is freed when its last sample ends, before it is copied.
// >>> LAB lab05.t5/append
float* const own = blocks_.take();
copies_.push_back({last, own, offset});
blocks_.release(last);
last = own;
// <<< LAB lab05.t5/append
// >>> LAB lab05.t5/end
blocks_.release(block);
// <<< LAB lab05.t5/end
// >>> LAB lab05.t5/step
for (const Copy& copy : copies_) {
  simt::launch(copy_kernel, {dim3(1), dim3(unsigned(copy.count))}, copy.from, copy.to);
}
// <<< LAB lab05.t5/step
