// must fail: lab05.t6.c2: one reference too many
// Whether a block is held is compared, and not by how many.
// >>> LAB lab05.t6
std::vector<int64_t> lists(size_t(books.blocks), 0), tables(size_t(books.blocks), 0);
const auto is_block = [&](BlockId block) { return block >= 0 && block < books.blocks; };
for (const auto* list : {&books.free, &books.cached}) {
  for (const BlockId block : *list) {
    if (!is_block(block)) return "no block";
    ++lists[size_t(block)];
  }
}
for (const std::vector<BlockId>& table : books.tables) {
  for (const BlockId block : table) {
    if (!is_block(block)) return "no block";
    ++tables[size_t(block)];
  }
}
for (size_t block = 0; block < lists.size(); ++block) {
  if ((tables[block] > 0) != (books.references[block] > 0)) return "references";
  if (lists[block] + (tables[block] > 0 ? 1 : 0) != 1) return "places";
}
return "";
// <<< LAB lab05.t6
