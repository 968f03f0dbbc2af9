// must get nothing: lab06.t4
// Zeros.
// >>> LAB lab06.t4/residual
return Distribution(p.size());
// <<< LAB lab06.t4/residual
// >>> LAB lab06.t4/verify
return {0, {0}};
// <<< LAB lab06.t4/verify
