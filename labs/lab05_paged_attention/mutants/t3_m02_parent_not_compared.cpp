// must fail: lab05.t3.c1: block
// The tokens are compared, and not what came before them.
// >>> LAB lab05.t3/find
const auto [first, last] = by_hash_.equal_range(hash_of(parent, tokens));
for (auto candidate = first; candidate != last; ++candidate) {
  const Entry& entry = entry_of(candidate->second);
  if (std::equal(tokens.begin(), tokens.end(), entry.tokens.begin(), entry.tokens.end())) return candidate->second;
}
return std::nullopt;
// <<< LAB lab05.t3/find
