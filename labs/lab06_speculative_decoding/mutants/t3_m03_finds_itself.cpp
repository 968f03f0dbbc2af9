// must fail: lab06.t3.c1: draft
// The last token is indexed before it is looked up: the suffix finds itself, and nothing has followed it.
// >>> LAB lab06.t3/index
const int64_t size = text.size();
for (; index.indexed < size; ++index.indexed) {
  const int64_t longest = std::min<int64_t>(limits.max_match, index.indexed + 1);
  for (int64_t n = limits.min_match; n <= longest; ++n) {
    index.latest[ngram(text, index.indexed, n)] = index.indexed + 1;
  }
}
// <<< LAB lab06.t3/index
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
