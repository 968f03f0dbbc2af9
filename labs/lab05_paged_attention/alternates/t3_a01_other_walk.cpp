// must pass: lab05.t3
// Candidates are copied and searched, the match is written with an index, and the limit of reuse is taken first.
// >>> LAB lab05.t3/find
const auto [first, last] = by_hash_.equal_range(hash_of(parent, tokens));
const auto found = std::find_if(first, last, [&](const auto& candidate) {
  const Entry& entry = entries_.at(candidate.second);
  return parent == entry.parent && std::vector<TokenId>(tokens.begin(), tokens.end()) == entry.tokens;
});
if (found == last) return std::nullopt;
return found->second;
// <<< LAB lab05.t3/find
// >>> LAB lab05.t3/match
std::vector<BlockId> chain;
for (size_t i = 0; i < tokens.size() / block_size_; ++i) {
  const auto next = find(chain.empty() ? kNoParent : chain.back(), tokens.subspan(i * block_size_, block_size_));
  if (!next) return chain;
  chain.push_back(*next);
}
return chain;
// <<< LAB lab05.t3/match
// >>> LAB lab05.t3/reuse
Reused reused;
const int64_t most = tokens.empty() ? 0 : int64_t(tokens.size()) - 1;
for (const BlockId block : cache.match(tokens)) {
  if (reused.length == most) break;
  reused.blocks.push_back(block);
  reused.length = std::min(reused.length + block_size, most);
}
return reused;
// <<< LAB lab05.t3/reuse
// >>> LAB lab05.t3/take_block
if (const std::optional<BlockId> block = pool.take_free()) return block;
if (pool.cached().empty()) return std::nullopt;
const BlockId victim = *pool.cached().begin();
cache.forget(victim);
pool.discard(victim);
return pool.take_free();
// <<< LAB lab05.t3/take_block
