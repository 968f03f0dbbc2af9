// must pass: lab02.t6
// Sums in closed form or row by row, and the length by doubling and bisection.
// >>> LAB lab02.t6/operations
int64_t sum = 0;
for (int64_t row = 0; row < step.rows; ++row) {
  const int64_t keys = step.first + row + 1;
  sum += 2 * (model.parameters + 2 * keys * model.layers * model.heads * model.head_dim);
}
return sum;
// <<< LAB lab02.t6/operations
// >>> LAB lab02.t6/crossover
const auto wins = [&](int64_t length) {
  return seconds(model, {0, length, true}, machine) > seconds(model, {length - 1, 1, true}, machine);
};
int64_t loses = 1, won = 2;
while (!wins(won)) {
  loses = won;
  won *= 2;
}
while (won - loses > 1) {
  const int64_t middle = (loses + won) / 2;
  (wins(middle) ? won : loses) = middle;
}
return won;
// <<< LAB lab02.t6/crossover
