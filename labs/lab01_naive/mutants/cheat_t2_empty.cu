// must get nothing: lab01.t2
// Nothing is turned.
// >>> LAB lab01.t2
// <<< LAB lab01.t2
