// must get nothing: lab01.t6
// Zeros.
// >>> LAB lab01.t6
return {0, 0};
// <<< LAB lab01.t6
