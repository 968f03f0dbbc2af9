// must get nothing: lab04.t4
// All is well, always.
// >>> LAB lab04.t4/judge
return {};
// <<< LAB lab04.t4/judge
