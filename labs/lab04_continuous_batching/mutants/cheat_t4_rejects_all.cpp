// must get nothing: lab04.t4
// Nothing is ever well.
// >>> LAB lab04.t4/judge
return {0, Violation::idle};
// <<< LAB lab04.t4/judge
