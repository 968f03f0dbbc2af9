// must get nothing: lab06.t3
// Never an idea.
// >>> LAB lab06.t3/index
// <<< LAB lab06.t3/index
// >>> LAB lab06.t3/propose
return {};
// <<< LAB lab06.t3/propose
