// must fail: lab05.t6.c1: a table names a block that is free, too
// Lists and references only: a block in a list and in a table is not seen.
// >>> LAB lab05.t6
std::vector<int64_t> lists(size_t(books.blocks), 0);
for (const auto* list : {&books.free, &books.cached}) {
  for (const BlockId block : *list) {
    if (block < 0 || block >= books.blocks) return "no block";
    ++lists[size_t(block)];
  }
}
for (size_t block = 0; block < lists.size(); ++block) {
  if (lists[block] > 1) return "twice";
  if (lists[block] == 0 && books.references[block] == 0) return "lost";
}
return "";
// <<< LAB lab05.t6
