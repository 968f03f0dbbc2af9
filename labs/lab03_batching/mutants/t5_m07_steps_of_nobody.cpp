// must fail: lab03.t5.c1: then
// The step is taken before one looks whether anybody is left.
// >>> LAB lab03.t5
Served served{};
for (;;) {
  const std::vector<int> batch = service.gather(places);
  if (batch.empty()) return served;
  for (;;) {
    std::vector<int> rows;
    for (const int request : batch) {
      if (!service.ended(request)) rows.push_back(request);
    }
    const int padded = int(batch.size() - rows.size());
    service.step(rows, padded);
    ++served.steps;
    served.rows += int64_t(rows.size());
    served.padded += padded;
    if (rows.empty()) break;
  }
  for (const int request : batch) service.release(request);
}
// <<< LAB lab03.t5
