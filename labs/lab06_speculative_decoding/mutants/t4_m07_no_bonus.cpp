// must fail: lab06.t4.c2: tokens
// Nothing is added where all is accepted: a row of logits is thrown away.
// >>> LAB lab06.t4/verify
Verdict verdict;
for (size_t i = 0; i < draft.size(); ++i) {
  const auto id = size_t(draft[i]);
  if (noise[i].accept * q[i][id] >= p[i][id]) {
    verdict.tokens.push_back(draw(residual(p[i], q[i]), noise[i].residual));
    return verdict;
  }
  verdict.tokens.push_back(draft[i]);
  ++verdict.accepted;
}
if (draft.empty()) verdict.tokens.push_back(draw(p[0], noise[0].residual));
return verdict;
// <<< LAB lab06.t4/verify
