// must get nothing: lab01.t5
// Token 0.
// >>> LAB lab01.t5/greedy
return 0;
// <<< LAB lab01.t5/greedy
// >>> LAB lab01.t5/sampled
return 0;
// <<< LAB lab01.t5/sampled
