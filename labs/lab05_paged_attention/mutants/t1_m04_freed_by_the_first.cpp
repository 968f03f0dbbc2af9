// must fail: lab05.t1.c2: references [
// The first holder who leaves frees the block, and the others hold what is somebody else's.
// >>> LAB lab05.t1/release
const size_t index = index_of(block);
check(states_[index] == State::held, "only a held block can be released: this one is free already");
references_[index] = 0;
states_[index] = keep ? State::cached : State::free;
if (keep) {
  positions_[index] = cached_.insert(cached_.end(), block);
} else {
  free_.push_back(block);
}
// <<< LAB lab05.t1/release
