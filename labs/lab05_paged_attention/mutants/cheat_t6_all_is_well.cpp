// must get nothing: lab05.t6
// All books are right.
// >>> LAB lab05.t6
return "";
// <<< LAB lab05.t6
