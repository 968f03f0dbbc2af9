// must get nothing: lab03.t4
// The numbers of the handout.
// >>> LAB lab03.t4/bytes
return model.weight_bytes;
// <<< LAB lab03.t4/bytes
// >>> LAB lab03.t4/flop
return step.rows;
// <<< LAB lab03.t4/flop
// >>> LAB lab03.t4/intensity
return 1.0;
// <<< LAB lab03.t4/intensity
// >>> LAB lab03.t4/time
return 80299;
// <<< LAB lab03.t4/time
// >>> LAB lab03.t4/turn
return 296;
// <<< LAB lab03.t4/turn
