// must pass: lab03.t3
// The longest that is left opens a batch, and the next longest join it; places are counted step by step.
// >>> LAB lab03.t3/law
Padding padding{};
for (const BatchLengths& lengths : batches) {
  const int64_t steps = *std::max_element(lengths.begin(), lengths.end());
  for (const int64_t length : lengths) padding.padded += steps - length;
  padding.slots += steps * int64_t(lengths.size());
  padding.steps += steps;
}
if (padding.slots > 0) padding.share = double(padding.padded) / double(padding.slots);
return padding;
// <<< LAB lab03.t3/law
// >>> LAB lab03.t3/choice
std::vector<bool> taken(lengths.size(), false);
std::vector<std::vector<int>> batches;
for (size_t served = 0; served < lengths.size(); ++served) {
  int longest = -1;
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (!taken[i] && (longest < 0 || lengths[i] > lengths[size_t(longest)])) longest = int(i);
  }
  taken[size_t(longest)] = true;
  if (served % size_t(places) == 0) batches.emplace_back();
  batches.back().push_back(longest);
}
return batches;
// <<< LAB lab03.t3/choice
