// must pass: lab02.t5
// By cases: pending tokens, or the last one again; and a loop for what is common.
// >>> LAB lab02.t5/next
if (known < 1) throw BadInput(fmt::format("no text of {} tokens", known));
if (cached < 0 || cached > known) throw BadInput(fmt::format("{} of {} tokens cannot be cached", cached, known));
if (budget < 1) throw BadInput(fmt::format("no step of {} tokens", budget));
const int64_t pending = known - cached;
if (pending == 0) return {known - 1, 1, true};
if (pending > budget) return {cached, budget, false};
return {cached, pending, true};
// <<< LAB lab02.t5/next
// >>> LAB lab02.t5/valid
size_t same = 0;
while (same < stored.size() && same < text.size() && stored[same] == text[same]) ++same;
return int64_t(same);
// <<< LAB lab02.t5/valid
