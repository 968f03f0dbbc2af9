// must get nothing: lab06.t2
// Empty.
// >>> LAB lab06.t2
// <<< LAB lab06.t2
