// must fail: lab06.t4.c4: total variation
// The token behind an accepted draft is drawn from the row before it.
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
const size_t last = draft.empty() ? 0 : draft.size() - 1;
verdict.tokens.push_back(draw(p[last], noise[draft.size()].residual));
return verdict;
// <<< LAB lab06.t4/verify
