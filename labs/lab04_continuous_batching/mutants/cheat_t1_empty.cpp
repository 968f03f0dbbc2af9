// must get nothing: lab04.t1
// No plan at all.
// >>> LAB lab04.t1/step
return {};
// <<< LAB lab04.t1/step
