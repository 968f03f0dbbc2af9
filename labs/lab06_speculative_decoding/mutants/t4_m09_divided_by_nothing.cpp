// must fail: lab06.t4.c1: nan
// p = q: nothing is left, and it is divided by nothing.
// >>> LAB lab06.t4/residual
Distribution rest(p.size());
double sum = 0.0;
for (size_t id = 0; id < p.size(); ++id) {
  rest[id] = std::max(0.0, p[id] - q[id]);
  sum += rest[id];
}
for (double& probability : rest) probability *= 1.0 / sum;
return rest;
// <<< LAB lab06.t4/residual
