// must get nothing: lab04.t5
// Kernels that do nothing.
// >>> LAB lab04.t5/expand
return;
// <<< LAB lab04.t5/expand
// >>> LAB lab04.t5/gather
return;
// <<< LAB lab04.t5/gather
