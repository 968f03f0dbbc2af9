// must get nothing: lab00.t1
// An empty body.
// >>> LAB lab00.t1
// <<< LAB lab00.t1
