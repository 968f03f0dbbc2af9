// must fail: lab06.t4.c2: tokens
// A replaced token does not end it: the rest of the draft followed on another word.
// >>> LAB lab06.t4/verify
Verdict verdict;
for (size_t i = 0; i < draft.size(); ++i) {
  const auto id = size_t(draft[i]);
  const bool accepted = noise[i].accept * q[i][id] < p[i][id];
  verdict.tokens.push_back(accepted ? draft[i] : draw(residual(p[i], q[i]), noise[i].residual));
  verdict.accepted += accepted;
}
if (verdict.accepted == int64_t(draft.size())) {
  verdict.tokens.push_back(draw(p[draft.size()], noise[draft.size()].residual));
}
return verdict;
// <<< LAB lab06.t4/verify
