// must fail: lab06.t3.c3: draft
// A draft ends where the text ends, so a text that loops is drafted for one round.
// >>> LAB lab06.t3/propose
const int64_t last = text.size() - 1;
auto found = index.latest.end();
for (int64_t n = std::min<int64_t>(limits.max_match, last); n >= limits.min_match; --n) {
  found = index.latest.find(ngram(text, last, n));
  if (found != index.latest.end()) break;
}
std::vector<Token> draft;
if (found == index.latest.end()) return draft;
for (int64_t position = found->second; position < text.size() && int(draft.size()) < length; ++position) {
  draft.push_back(text[position]);
}
return draft;
// <<< LAB lab06.t3/propose
