// must fail: lab05.t4.c1: preempts request 1
// The oldest is preempted: nobody ever gets to the end while others come in.
// >>> LAB lab05.t4/make_room
const std::vector<Request*> candidates = preemptible();
if (candidates.size() < 2) return false;
preempt(*candidates.front());
return true;
// <<< LAB lab05.t4/make_room
