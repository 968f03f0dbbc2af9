// must fail: lab06.t3.c2: draft
// The earliest occurrence: emplace does not replace what is there.
// >>> LAB lab06.t3/index
const int64_t last = text.size() - 1;
for (; index.indexed < last; ++index.indexed) {
  const int64_t longest = std::min<int64_t>(limits.max_match, index.indexed + 1);
  for (int64_t n = limits.min_match; n <= longest; ++n) {
    index.latest.emplace(ngram(text, index.indexed, n), index.indexed + 1);
  }
}
// <<< LAB lab06.t3/index
