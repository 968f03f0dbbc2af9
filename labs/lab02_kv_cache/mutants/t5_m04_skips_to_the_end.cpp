// must fail: lab02.t5.c1: no gap
// Only the last token, whatever the cache holds: right while decoding, wrong for a prompt.
// >>> LAB lab02.t5/next
if (known < 1) throw BadInput(fmt::format("known = {}: a text has at least one token", known));
if (cached < 0 || cached > known) {
  throw BadInput(fmt::format("cached = {}: the cache holds between 0 and {} tokens of this text", cached, known));
}
if (budget < 1) throw BadInput(fmt::format("budget = {}: a step computes at least one token", budget));
const int64_t first = known - 1;
const int64_t rows = std::min(budget, known - first);
return {first, rows, first + rows == known};
// <<< LAB lab02.t5/next
