// must fail: lab06.t4.c1: residual
// |p - q|: also what q has more than p.
// >>> LAB lab06.t4/residual
Distribution rest(p.size());
double sum = 0.0;
for (size_t id = 0; id < p.size(); ++id) sum += rest[id] = p[id] > q[id] ? p[id] - q[id] : q[id] - p[id];
if (sum <= 0.0) return p;
for (double& probability : rest) probability /= sum;
return rest;
// <<< LAB lab06.t4/residual
