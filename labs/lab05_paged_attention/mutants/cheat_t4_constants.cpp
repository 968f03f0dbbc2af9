// must get nothing: lab05.t4
// Everybody is let in, nobody is preempted, and it costs nothing.
// >>> LAB lab05.t4/lets_in
return true;
// <<< LAB lab05.t4/lets_in
// >>> LAB lab05.t4/make_room
return false;
// <<< LAB lab05.t4/make_room
// >>> LAB lab05.t4/cost
return {};
// <<< LAB lab05.t4/cost
