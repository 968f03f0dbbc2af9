// must pass: lab05.t5
// The copy takes a reference of its own, and the copies' sources are given back after all of them.
// >>> LAB lab05.t5/append
blocks_.share(last);
copies_.push_back({last, blocks_.take(), offset});
blocks_.release(last);
last = copies_.back().to;
// <<< LAB lab05.t5/append
// >>> LAB lab05.t5/step
for (const Copy& copy : copies_) {
  simt::launch(copy_kernel, {dim3(1), dim3(unsigned(copy.count))}, copy.from, copy.to);
}
for (const Copy& copy : copies_) blocks_.release(copy.from);
// <<< LAB lab05.t5/step
