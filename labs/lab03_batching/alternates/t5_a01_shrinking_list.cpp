// must pass: lab03.t5
// One list that loses those who have ended.
// >>> LAB lab03.t5
Served served{0, 0, 0};
std::vector<int> batch = service.gather(places);
while (!batch.empty()) {
  std::vector<int> running = batch;
  const auto drop_ended = [&] {
    std::vector<int> left;
    for (const int request : running) {
      if (!service.ended(request)) left.push_back(request);
    }
    running = left;
  };
  for (drop_ended(); !running.empty(); drop_ended()) {
    service.step(running, int(batch.size()) - int(running.size()));
    served.steps += 1;
    served.rows += int64_t(running.size());
    served.padded += int64_t(batch.size()) - int64_t(running.size());
  }
  for (size_t i = batch.size(); i-- > 0;) service.release(batch[i]);
  batch = service.gather(places);
}
return served;
// <<< LAB lab03.t5
