// must fail: lab02.t6.c1: operations
// Every row sees all keys, also those after it.
// >>> LAB lab02.t6/operations
const int64_t first_sees = step.first + 1, last_sees = step.first + step.rows;
const int64_t pairs = last_sees * step.rows;
const int64_t per_pair = int64_t{4} * model.layers * model.heads * model.head_dim;
return 2 * model.parameters * step.rows + per_pair * pairs;
// <<< LAB lab02.t6/operations
