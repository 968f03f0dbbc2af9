// must fail: lab05.t6.c1: these books are right
// A block in two tables is taken for an error.
// >>> LAB lab05.t6
std::vector<int64_t> places(size_t(books.blocks), 0);
const auto is_block = [&](BlockId block) { return block >= 0 && block < books.blocks; };
for (const auto* list : {&books.free, &books.cached}) {
  for (const BlockId block : *list) {
    if (!is_block(block)) return "no block";
    ++places[size_t(block)];
  }
}
for (const std::vector<BlockId>& table : books.tables) {
  for (const BlockId block : table) {
    if (!is_block(block)) return "no block";
    ++places[size_t(block)];
  }
}
for (const int64_t count : places) {
  if (count != 1) return "a block is not in one place";
}
return "";
// <<< LAB lab05.t6
