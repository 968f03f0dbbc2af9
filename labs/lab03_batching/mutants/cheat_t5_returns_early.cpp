// must get nothing: lab03.t5
// Gathers once, serves nobody.
// >>> LAB lab03.t5
service.gather(places);
return {};
// <<< LAB lab03.t5
