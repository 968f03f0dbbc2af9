// must pass: lab05.t1
// The lowest free block, a search for positions, and tables that are tried first and undone.
// >>> LAB lab05.t1/take_free
const auto lowest = std::min_element(free_.begin(), free_.end());
if (lowest == free_.end()) return std::nullopt;
const BlockId block = *lowest;
free_.erase(lowest);
states_[index_of(block)] = State::held;
references_[index_of(block)] = 1;
return block;
// <<< LAB lab05.t1/take_free
// >>> LAB lab05.t1/discard
const size_t index = index_of(block);
check(std::find(cached_.begin(), cached_.end(), block) != cached_.end(), "cached");
cached_.remove(block);
states_[index] = State::free;
free_.insert(free_.begin(), block);
// <<< LAB lab05.t1/discard
// >>> LAB lab05.t1/grow
const size_t before = table.size();
while (int64_t(table.size()) * block_size < upto) {
  const std::optional<BlockId> block = pool.take_free();
  if (!block) {
    for (; table.size() > before; table.pop_back()) pool.release(table.back(), false);
    return false;
  }
  table.push_back(*block);
}
return true;
// <<< LAB lab05.t1/grow
