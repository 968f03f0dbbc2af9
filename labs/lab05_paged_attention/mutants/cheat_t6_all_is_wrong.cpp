// must get nothing: lab05.t6
// All books are wrong.
// >>> LAB lab05.t6
return "wrong";
// <<< LAB lab05.t6
