// must fail: lab02.t5.c4: tokens forwarded
// Begins at the last token that is cached: one row too many in each step.
// >>> LAB lab02.t5/next
if (known < 1) throw BadInput(fmt::format("known = {}: a text has at least one token", known));
if (cached < 0 || cached > known) {
  throw BadInput(fmt::format("cached = {}: the cache holds between 0 and {} tokens of this text", cached, known));
}
if (budget < 1) throw BadInput(fmt::format("budget = {}: a step computes at least one token", budget));
const int64_t first = std::max<int64_t>(0, cached - 1);
const int64_t rows = std::min(budget, known - first);
return {first, rows, first + rows == known};
// <<< LAB lab02.t5/next
