// must fail: lab02.t5.c3: tokens whose keys are stored
// The tokens are not compared: the cache is believed as far as the text goes.
// >>> LAB lab02.t5/valid
return std::int64_t(std::min(stored.size(), text.size()));
// <<< LAB lab02.t5/valid
