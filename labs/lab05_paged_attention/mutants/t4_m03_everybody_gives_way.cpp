// must fail: lab05.t4.c4: tokens computed again
// All others are preempted at once, where one would do.
// >>> LAB lab05.t4/make_room
std::vector<Request*> candidates = preemptible();
if (candidates.size() < 2) return false;
for (; candidates.size() > 1; candidates.pop_back()) preempt(*candidates.back());
return true;
// <<< LAB lab05.t4/make_room
