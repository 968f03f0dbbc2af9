// must get nothing: lab02.t6
// Numbers of the handout.
// >>> LAB lab02.t6/operations
return 2 * model.parameters;
// <<< LAB lab02.t6/operations
// >>> LAB lab02.t6/generation
return {59, 0, 0, 0};
// <<< LAB lab02.t6/generation
// >>> LAB lab02.t6/crossover
return 156;
// <<< LAB lab02.t6/crossover
