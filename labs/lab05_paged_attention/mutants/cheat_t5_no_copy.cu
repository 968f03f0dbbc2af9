// must get nothing: lab05.t5
// A block of its own, and nothing in it.
// >>> LAB lab05.t5/append
blocks_.release(last);
last = blocks_.take();
// <<< LAB lab05.t5/append
