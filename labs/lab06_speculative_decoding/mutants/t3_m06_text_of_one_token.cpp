// must fail: lab06.t3.c3: outside of the text
// The suffix may be the whole text, and nothing is asked where it would begin.
// >>> LAB lab06.t3/propose
const int64_t last = text.size() - 1;
auto found = index.latest.end();
for (int64_t n = limits.max_match; n >= limits.min_match; --n) {
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
