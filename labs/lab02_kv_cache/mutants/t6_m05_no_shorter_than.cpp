// must fail: lab02.t6.c3: length
// Not slower counts as slower: then the cache wins at length 1, where both passes are the same.
// >>> LAB lab02.t6/crossover
int64_t length = 1;
const auto naive = [&] { return seconds(model, {0, length, true}, machine); };
const auto cached = [&] { return seconds(model, {length - 1, 1, true}, machine); };
while (naive() < cached()) ++length;
return length;
// <<< LAB lab02.t6/crossover
