// must fail: lab02.t5.c4: tokens forwarded in all
// A text that is not the same is computed anew: what it has in common is lost.
// >>> LAB lab02.t5/valid
const size_t common = std::min(stored.size(), text.size());
const bool same =
    stored.size() <= text.size() && std::equal(stored.begin(), stored.begin() + int64_t(common), text.begin());
return same ? int64_t(common) : 0;
// <<< LAB lab02.t5/valid
