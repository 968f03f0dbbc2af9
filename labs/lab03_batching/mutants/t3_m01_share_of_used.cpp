// must fail: lab03.t3.c1: share
// The share is taken of the used places, not of all.
// >>> LAB lab03.t3/law
Padding padding{};
for (const BatchLengths& lengths : batches) {
  const int64_t steps = *std::max_element(lengths.begin(), lengths.end());
  const int64_t slots = int64_t(lengths.size()) * steps;
  padding.steps += steps;
  padding.slots += slots;
  padding.padded += slots - std::accumulate(lengths.begin(), lengths.end(), int64_t{0});
}
padding.share = padding.slots == 0 ? 0.0 : double(padding.padded) / double(padding.slots - padding.padded);
return padding;
// <<< LAB lab03.t3/law
