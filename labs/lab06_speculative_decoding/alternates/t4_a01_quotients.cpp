// must pass: lab06.t4
// With the quotient of the papers; the first token that is not accepted is found first, and dealt with afterwards.
// >>> LAB lab06.t4/residual
double overlap = 0.0;
for (size_t id = 0; id < p.size(); ++id) overlap += std::min(p[id], q[id]);
if (p == q || overlap >= 1.0) return p;
Distribution rest;
double sum = 0.0;
for (size_t id = 0; id < p.size(); ++id) sum += p[id] > q[id] ? p[id] - q[id] : 0.0;
for (size_t id = 0; id < p.size(); ++id) rest.push_back(p[id] > q[id] ? (p[id] - q[id]) / sum : 0.0);
return rest;
// <<< LAB lab06.t4/residual
// >>> LAB lab06.t4/verify
size_t right = 0;
while (right < draft.size()) {
  const auto id = size_t(draft[right]);
  if (noise[right].accept >= std::min(1.0, p[right][id] / q[right][id])) break;
  ++right;
}
const Distribution& next = p[right];
Verdict verdict{int64_t(right), {draft.begin(), draft.begin() + std::ptrdiff_t(right)}};
verdict.tokens.push_back(draw(right < draft.size() ? residual(next, q[right]) : next, noise[right].residual));
return verdict;
// <<< LAB lab06.t4/verify
