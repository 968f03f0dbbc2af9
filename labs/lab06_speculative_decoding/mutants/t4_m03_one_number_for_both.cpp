// must fail: lab06.t4.c3: total variation
// The number that rejected the token also draws its replacement: it is never small.
// >>> LAB lab06.t4/verify
Verdict verdict;
for (size_t i = 0; i < draft.size(); ++i) {
  const auto id = size_t(draft[i]);
  if (noise[i].accept * q[i][id] >= p[i][id]) {
    verdict.tokens.push_back(draw(residual(p[i], q[i]), noise[i].accept));
    return verdict;
  }
  verdict.tokens.push_back(draft[i]);
  ++verdict.accepted;
}
verdict.tokens.push_back(draw(p[draft.size()], noise[draft.size()].residual));
return verdict;
// <<< LAB lab06.t4/verify
