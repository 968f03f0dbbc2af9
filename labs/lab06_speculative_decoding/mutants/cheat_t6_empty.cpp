// must get nothing: lab06.t6
// Empty.
// >>> LAB lab06.t6
// <<< LAB lab06.t6
