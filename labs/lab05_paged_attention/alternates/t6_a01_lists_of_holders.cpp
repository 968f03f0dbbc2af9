// must pass: lab05.t6
// For each block the names of all that have it.
// >>> LAB lab05.t6
std::vector<std::string> holders(static_cast<size_t>(books.blocks));
bool outside = false;
const auto note = [&](const std::vector<BlockId>& list, char who) {
  for (const BlockId block : list) {
    if (block < 0 || block >= books.blocks)
      outside = true;
    else
      holders[size_t(block)] += who;
  }
};
note(books.free, 'f');
note(books.cached, 'c');
for (const auto& table : books.tables) note(table, 't');
if (outside) return "there is no such block";
for (size_t block = 0; block < holders.size(); ++block) {
  const std::string& mine = holders[block];
  const int64_t tables = std::count(mine.begin(), mine.end(), 't');
  if (tables != books.references[block]) return "wrong references";
  if (mine != "f" && mine != "c" && (tables == 0 || tables != int64_t(mine.size()))) return "wrong place: " + mine;
}
return "";
// <<< LAB lab05.t6
