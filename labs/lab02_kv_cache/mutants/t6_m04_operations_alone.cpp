// must fail: lab02.t6.c3: length
// Operations alone decide: but while a pass waits for memory, rows are free.
// >>> LAB lab02.t6/crossover
int64_t length = 1;
while (operations(model, {0, length, true}) <= operations(model, {length - 1, 1, true})) ++length;
return length;
// <<< LAB lab02.t6/crossover
