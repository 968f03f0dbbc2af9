// must get nothing: lab06.t4
// The draft is copied, and p too.
// >>> LAB lab06.t4/residual
return p;
// <<< LAB lab06.t4/residual
// >>> LAB lab06.t4/verify
Verdict verdict{int64_t(draft.size()), {draft.begin(), draft.end()}};
verdict.tokens.push_back(draw(p[draft.size()], noise[draft.size()].residual));
return verdict;
// <<< LAB lab06.t4/verify
