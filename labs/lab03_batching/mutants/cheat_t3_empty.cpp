// must get nothing: lab03.t3
// No padding, and no batches.
// >>> LAB lab03.t3/law
return {};
// <<< LAB lab03.t3/law
// >>> LAB lab03.t3/choice
return {};
// <<< LAB lab03.t3/choice
