// must fail: lab03.t3.c3: batches of 1 to
// One request more than there are places.
// >>> LAB lab03.t3/choice
std::vector<int> longest_first(lengths.size());
std::iota(longest_first.begin(), longest_first.end(), 0);
std::stable_sort(longest_first.begin(), longest_first.end(),
                 [&](int a, int b) { return lengths[size_t(a)] > lengths[size_t(b)]; });
std::vector<std::vector<int>> batches;
for (const int request : longest_first) {
  if (batches.empty() || int(batches.back().size()) > places) batches.emplace_back();
  batches.back().push_back(request);
}
return batches;
// <<< LAB lab03.t3/choice
