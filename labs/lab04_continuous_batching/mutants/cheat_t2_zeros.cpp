// must get nothing: lab04.t2
// Zeros.
// >>> LAB lab04.t2/chunk
return {request.id, 0, 0, false};
// <<< LAB lab04.t2/chunk
// >>> LAB lab04.t2/commit
return;
// <<< LAB lab04.t2/commit
