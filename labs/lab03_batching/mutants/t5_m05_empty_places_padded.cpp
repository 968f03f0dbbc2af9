// must fail: lab03.t5.c3: padded
// Places that nobody came for are counted as padded.
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
    if (rows.empty()) break;
    const int padded = places - int(rows.size());
    service.step(rows, padded);
    ++served.steps;
    served.rows += int64_t(rows.size());
    served.padded += padded;
  }
  for (const int request : batch) service.release(request);
}
// <<< LAB lab03.t5
