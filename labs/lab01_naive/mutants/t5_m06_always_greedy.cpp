// must fail: lab01.t5.c2: token
// Temperature is not looked at.
// >>> LAB lab01.t5/sampled
return greedy(logits);
// <<< LAB lab01.t5/sampled
