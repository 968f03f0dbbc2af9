// must fail: lab05.t3.c2: blocks [
// > for >=: tokens that end with a whole block are matched without it.
// >>> LAB lab05.t3/match
std::vector<BlockId> chain;
BlockId parent = kNoParent;
for (; tokens.size() > block_size_; tokens = tokens.subspan(block_size_)) {
  const std::optional<BlockId> block = find(parent, tokens.first(block_size_));
  if (!block) break;
  chain.push_back(*block);
  parent = *block;
}
return chain;
// <<< LAB lab05.t3/match
