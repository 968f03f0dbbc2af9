// must fail: lab05.t3.c1: nothing
// The first block with this hash is taken for the right one.
// >>> LAB lab05.t3/find
const auto candidate = by_hash_.find(hash_of(parent, tokens));
if (candidate == by_hash_.end()) return std::nullopt;
return candidate->second;
// <<< LAB lab05.t3/find
