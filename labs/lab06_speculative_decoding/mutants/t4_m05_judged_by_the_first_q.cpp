// must fail: lab06.t4.c4: total variation
// Every token is judged by the distribution that the first one was drawn from.
// >>> LAB lab06.t4/verify
Verdict verdict;
for (size_t i = 0; i < draft.size(); ++i) {
  const auto id = size_t(draft[i]);
  if (noise[i].accept * q[0][id] >= p[i][id]) {
    verdict.tokens.push_back(draw(residual(p[i], q[0]), noise[i].residual));
    return verdict;
  }
  verdict.tokens.push_back(draft[i]);
  ++verdict.accepted;
}
verdict.tokens.push_back(draw(p[draft.size()], noise[draft.size()].residual));
return verdict;
// <<< LAB lab06.t4/verify
