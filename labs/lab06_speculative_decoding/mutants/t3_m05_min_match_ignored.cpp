// must fail: lab06.t3.c3: draft
// Shorter suffixes than min_match are indexed and looked up, too.
// >>> LAB lab06.t3/index
const int64_t last = text.size() - 1;
for (; index.indexed < last; ++index.indexed) {
  const int64_t longest = std::min<int64_t>(limits.max_match, index.indexed + 1);
  for (int64_t n = 1; n <= longest; ++n) index.latest[ngram(text, index.indexed, n)] = index.indexed + 1;
}
// <<< LAB lab06.t3/index
// >>> LAB lab06.t3/propose
const int64_t last = text.size() - 1;
auto found = index.latest.end();
for (int64_t n = std::min<int64_t>(limits.max_match, last); n >= 1; --n) {
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
