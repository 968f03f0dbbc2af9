// must get nothing: lab02.t1
// Nothing is stored.
// >>> LAB lab02.t1

// <<< LAB lab02.t1
