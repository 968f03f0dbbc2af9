// must get nothing: lab02.t6
// Nothing costs anything.
// >>> LAB lab02.t6/operations
return 0;
// <<< LAB lab02.t6/operations
// >>> LAB lab02.t6/generation
return {};
// <<< LAB lab02.t6/generation
// >>> LAB lab02.t6/crossover
return 0;
// <<< LAB lab02.t6/crossover
