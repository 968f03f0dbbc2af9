// must get nothing: lab02.t4
// The handout's example for everything.
// >>> LAB lab02.t4/token
return 3072;
// <<< LAB lab02.t4/token
// >>> LAB lab02.t4/fit
return 0;
// <<< LAB lab02.t4/fit
// >>> LAB lab02.t4/step
return {0, 0};
// <<< LAB lab02.t4/step
