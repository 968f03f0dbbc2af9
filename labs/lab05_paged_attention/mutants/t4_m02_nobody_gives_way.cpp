// must fail: lab05.t4.c2: computes nothing
// Nobody is preempted: all wait for a block that nobody gives back.
// >>> LAB lab05.t4/make_room
return false;
// <<< LAB lab05.t4/make_room
