// must get nothing: lab05.t3
// A cache that never finds anything, and a pool that is always empty.
// >>> LAB lab05.t3/insert
entries_.emplace(block, Entry{parent, 0, 0, {tokens.begin(), tokens.end()}});
// <<< LAB lab05.t3/insert
// >>> LAB lab05.t3/find
return std::nullopt;
// <<< LAB lab05.t3/find
// >>> LAB lab05.t3/match
return {};
// <<< LAB lab05.t3/match
// >>> LAB lab05.t3/forget
entries_.erase(block);
// <<< LAB lab05.t3/forget
// >>> LAB lab05.t3/reuse
return {};
// <<< LAB lab05.t3/reuse
// >>> LAB lab05.t3/take_block
return std::nullopt;
// <<< LAB lab05.t3/take_block
