// must fail: lab05.t1.c3: is refused
// A block that is free already is freed once more: two will get it.
// >>> LAB lab05.t1/release
const size_t index = index_of(block);
if (--references_[index] > 0) return;
references_[index] = 0;
states_[index] = keep ? State::cached : State::free;
if (keep) {
  positions_[index] = cached_.insert(cached_.end(), block);
} else {
  free_.push_back(block);
}
// <<< LAB lab05.t1/release
