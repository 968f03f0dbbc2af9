// must fail: lab06.t5.c1: nan
// The closed form for an acceptance of 1.
// >>> LAB lab06.t5/tokens
double power = 1.0;
for (int i = 0; i <= length; ++i) power *= acceptance;
return (1.0 - power) * (1.0 / (1.0 - acceptance));
// <<< LAB lab06.t5/tokens
