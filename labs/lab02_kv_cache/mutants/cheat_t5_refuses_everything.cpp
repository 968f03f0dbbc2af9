// must get nothing: lab02.t5
// Bad input, whatever comes.
// >>> LAB lab02.t5/next
throw BadInput(fmt::format("{} {} {}", known, cached, budget));
// <<< LAB lab02.t5/next
// >>> LAB lab02.t5/valid
return 0;
// <<< LAB lab02.t5/valid
