// must fail: lab02.t5.c5: no BadInput
// Bad input is not refused: a step of no rows, or of minus three.
// >>> LAB lab02.t5/next
const int64_t first = std::min(cached, known - 1);
const int64_t rows = std::min(budget, known - first);
return {first, rows, first + rows == known};
// <<< LAB lab02.t5/next
