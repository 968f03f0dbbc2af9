// must fail: lab06.t4.c1: residual
// What is left of p is not divided by its sum.
// >>> LAB lab06.t4/residual
Distribution rest(p.size());
for (size_t id = 0; id < p.size(); ++id) rest[id] = std::max(0.0, p[id] - q[id]);
return rest;
// <<< LAB lab06.t4/residual
