// must fail: lab03.t3.c2: share
// No slots: 0 / 0 is no share.
// >>> LAB lab03.t3/law
Padding padding{};
for (const BatchLengths& lengths : batches) {
  const int64_t steps = *std::max_element(lengths.begin(), lengths.end());
  const int64_t slots = int64_t(lengths.size()) * steps;
  padding.steps += steps;
  padding.slots += slots;
  padding.padded += slots - std::accumulate(lengths.begin(), lengths.end(), int64_t{0});
}
padding.share = double(padding.padded) / double(padding.slots);
return padding;
// <<< LAB lab03.t3/law
