// must get nothing: lab06.t5
// Zeros.
// >>> LAB lab06.t5/tokens
return 0.0;
// <<< LAB lab06.t5/tokens
// >>> LAB lab06.t5/speed_up
return 0.0;
// <<< LAB lab06.t5/speed_up
// >>> LAB lab06.t5/break_even
return 0.0;
// <<< LAB lab06.t5/break_even
// >>> LAB lab06.t5/best_length
return 0;
// <<< LAB lab06.t5/best_length
