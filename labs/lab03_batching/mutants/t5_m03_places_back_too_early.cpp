// must fail: lab03.t5.c2: then release
// The next batch is gathered before the places of this one are given back.
// >>> LAB lab03.t5
Served served{};
std::vector<int> before;
for (;;) {
  const std::vector<int> batch = service.gather(places);
  for (const int request : before) service.release(request);
  if (batch.empty()) return served;
  before = batch;
  for (;;) {
    std::vector<int> rows;
    for (const int request : batch) {
      if (!service.ended(request)) rows.push_back(request);
    }
    if (rows.empty()) break;
    const int padded = int(batch.size() - rows.size());
    service.step(rows, padded);
    ++served.steps;
    served.rows += int64_t(rows.size());
    served.padded += padded;
  }
}
// <<< LAB lab03.t5
