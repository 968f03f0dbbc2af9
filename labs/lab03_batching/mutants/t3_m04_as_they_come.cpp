// must fail: lab03.t3.c4: steps
// Batches in the order of the queue.
// >>> LAB lab03.t3/choice
std::vector<int> longest_first(lengths.size());
std::iota(longest_first.begin(), longest_first.end(), 0);
std::vector<std::vector<int>> batches;
for (const int request : longest_first) {
  if (batches.empty() || int(batches.back().size()) == places) batches.emplace_back();
  batches.back().push_back(request);
}
return batches;
// <<< LAB lab03.t3/choice
