// must get nothing: lab06.t1
// Nothing is accepted: the output would be right, and as slow as without drafts.
// >>> LAB lab06.t1
const int request = int(blockIdx.x) * kWarpsPerBlock + int(threadIdx.y);
if (request < requests && threadIdx.x == 0) accepted[request] = 0;
// <<< LAB lab06.t1
