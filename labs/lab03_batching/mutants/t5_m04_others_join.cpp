// must fail: lab03.t5.c2: then
// Places of ended requests are given to others while the batch runs: that is continuous batching, lab 4.
// >>> LAB lab03.t5
Served served{};
for (;;) {
  std::vector<int> batch = service.gather(places);
  if (batch.empty()) return served;
  for (;;) {
    std::vector<int> rows;
    for (size_t i = 0; i < batch.size(); ++i) {
      if (!service.ended(batch[i])) continue;
      const std::vector<int> other = service.gather(1);
      if (other.empty()) continue;
      service.release(batch[i]);
      batch[i] = other[0];
    }
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
  for (const int request : batch) service.release(request);
}
// <<< LAB lab03.t5
