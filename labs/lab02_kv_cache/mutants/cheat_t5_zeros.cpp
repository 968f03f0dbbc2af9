// must get nothing: lab02.t5
// An empty step.
// >>> LAB lab02.t5/next
return {0, 0, false};
// <<< LAB lab02.t5/next
// >>> LAB lab02.t5/valid
return 0;
// <<< LAB lab02.t5/valid
