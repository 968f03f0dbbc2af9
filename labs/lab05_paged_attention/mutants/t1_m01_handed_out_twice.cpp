// must fail: lab05.t1.c1: 0 free, cached
// The block stays in the free list: the next one gets it, too.
// >>> LAB lab05.t1/take_free
if (free_.empty()) return std::nullopt;
const BlockId block = free_.back();
states_[size_t(block)] = State::held;
references_[size_t(block)] = 1;
return block;
// <<< LAB lab05.t1/take_free
