// must fail: lab02.t6.c3: length
// The cached pass at position 0, with no keys to read.
// >>> LAB lab02.t6/crossover
int64_t length = 1;
const auto naive = [&] { return seconds(model, {0, length, true}, machine); };
const auto cached = [&] { return seconds(model, {0, 1, true}, machine); };
while (naive() <= cached()) ++length;
return length;
// <<< LAB lab02.t6/crossover
