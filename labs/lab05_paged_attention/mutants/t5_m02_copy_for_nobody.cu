// must fail: lab05.t5.c3: which was freed
// The source is kept, and the copy for a sample that has ended is still made, into a block that is gone.
// >>> LAB lab05.t5/end
blocks_.release(block);
// <<< LAB lab05.t5/end
