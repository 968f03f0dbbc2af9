// must fail: lab06.t3.c1: draft
// The shortest suffix is looked up first: the weakest evidence.
// >>> LAB lab06.t3/propose
const int64_t last = text.size() - 1;
auto found = index.latest.end();
for (int64_t n = limits.min_match; n <= std::min<int64_t>(limits.max_match, last); ++n) {
  found = index.latest.find(ngram(text, last, n));
  if (found != index.latest.end()) break;
}
std::vector<Token> draft;
if (found == index.latest.end()) return draft;
for (int64_t position = found->second; int(draft.size()) < length; ++position) {
  const bool inside = position < text.size();
  draft.push_back(inside ? text[position] : draft[size_t(position - text.size())]);
}
return draft;
// <<< LAB lab06.t3/propose
