// must fail: lab02.t5.c4: tokens forwarded
// Everything from position 0 where it fits into a step: naive decoding, right and wasteful.
// >>> LAB lab02.t5/next
if (known < 1) throw BadInput(fmt::format("known = {}: a text has at least one token", known));
if (cached < 0 || cached > known) {
  throw BadInput(fmt::format("cached = {}: the cache holds between 0 and {} tokens of this text", cached, known));
}
if (budget < 1) throw BadInput(fmt::format("budget = {}: a step computes at least one token", budget));
const int64_t first = known <= budget ? 0 : std::min(cached, known - 1);
const int64_t rows = std::min(budget, known - first);
return {first, rows, first + rows == known};
// <<< LAB lab02.t5/next
