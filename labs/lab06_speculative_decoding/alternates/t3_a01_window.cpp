// must pass: lab06.t3
// The last tokens are read once into a window; the index keeps where an n-gram ends; the draft is written behind a copy of
// what follows.
// >>> LAB lab06.t3/index
std::vector<Token> window;
const int64_t from = std::max<int64_t>(index.indexed - limits.max_match + 1, 0);
for (int64_t position = from; position + 1 < text.size(); ++position) {
  window.push_back(text[position]);
  if (int64_t(window.size()) > limits.max_match) window.erase(window.begin());
  if (position < index.indexed) continue;
  for (auto first = window.begin(); window.end() - first >= limits.min_match; ++first) {
    index.latest.insert_or_assign(std::vector<Token>(first, window.end()), position);
    if (first + 1 == window.end()) break;
  }
  index.indexed = position + 1;
}
// <<< LAB lab06.t3/index
// >>> LAB lab06.t3/propose
std::vector<Token> suffix;
for (int64_t position = std::max<int64_t>(text.size() - limits.max_match, 0); position < text.size(); ++position) {
  suffix.push_back(text[position]);
}
if (int64_t(suffix.size()) == text.size() && !suffix.empty()) suffix.erase(suffix.begin());  // the text itself
while (int64_t(suffix.size()) >= limits.min_match) {
  const auto found = index.latest.find(suffix);
  if (found == index.latest.end()) {
    suffix.erase(suffix.begin());
    continue;
  }
  const int64_t period = text.size() - 1 - found->second;
  std::vector<Token> draft;
  for (int64_t i = 0; i < length; ++i)
    draft.push_back(i < period ? text[found->second + 1 + i] : draft[size_t(i - period)]);
  return draft;
}
return {};
// <<< LAB lab06.t3/propose
