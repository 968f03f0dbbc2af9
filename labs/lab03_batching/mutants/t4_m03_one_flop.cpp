// must fail: lab03.t4.c1: intensity
// One FLOP a parameter: the addition is forgotten.
// >>> LAB lab03.t4/flop
return step.rows * model.parameters;
// <<< LAB lab03.t4/flop
