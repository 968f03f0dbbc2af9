#include "tests/stages/test_model.h"

#include <fmt/format.h>

#include "tests/catch.h"

namespace stagecraft::testing {

namespace {

Engine engine_on(const std::string& folder, std::unique_ptr<Device> device) {
  ModelFiles files = read_model_files(STAGECRAFT_SOURCE_DIR "/" + folder);
  const int64_t context = files.config.context;
  return open_engine(std::move(files), std::move(device), context);
}

}  // namespace

TestModel::TestModel(const std::string& folder, const std::string& device)
    : TestModel(folder, make_device(device, 1)) {}

TestModel::TestModel(const std::string& folder, std::unique_ptr<Device> device)
    : engine_(engine_on(folder, std::move(device))) {}

KvPool TestModel::poisoned_pool(NumberType type, int64_t slots) {
  KvPool pool(device(), config(), type, slots);
  const std::vector<std::byte> all_ones(size_t(pool.bytes()), std::byte{0xFF});  // a NaN in each of the three types
  device().copy_to_device(pool.layer(0, {}).keys, all_ones.data(), all_ones.size());
  return pool;
}

TestModel& tales_400k() {
  static TestModel model("models/tales-400k");
  return model;
}

TestModel& tales_5m() {
  static TestModel model("models/tales-5m");
  return model;
}

std::vector<std::byte> bytes_of_pool(Device& device, const KvPool& pool) {
  std::vector<std::byte> bytes(size_t(pool.bytes()));
  device.copy_to_host(bytes.data(), pool.layer(0, {}).keys, bytes.size());
  return bytes;
}

RunLog run_engine(StageEngine& engine, TestModel& on, const std::vector<Job>& jobs, const RunOptions& options) {
  KvPool pool = on.poisoned_pool(options.kv_type, engine.kv_slots(jobs, kv_memory_of(on.model(), options.kv_type)));
  CostClock clock(options.cost);
  RunSettings settings{.clock = &clock, .sink = options.sink, .cancelled = options.cancelled};
  if (!options.ends_at_end_of_text) settings.end_of_text.emplace();
  return on.engine().run(engine, jobs, pool, settings);
}

std::string difference(const RunLog& expected, const RunLog& actual) {
  if (expected.requests.size() != actual.requests.size()) return "not the same number of requests";
  for (size_t i = 0; i < expected.requests.size(); ++i) {
    const RequestRecord &a = expected.requests[i], &b = actual.requests[i];
    const size_t shorter = std::min(a.output_ids.size(), b.output_ids.size());
    for (size_t t = 0; t < shorter; ++t) {
      if (a.output_ids[t] == b.output_ids[t]) continue;
      return fmt::format("request {}: output token {} is {}, expected {}", i, t, b.output_ids[t], a.output_ids[t]);
    }
    if (a.output_ids.size() != b.output_ids.size() || a.finish_reason != b.finish_reason) {
      return fmt::format("request {}: {} tokens and then '{}', expected {} and '{}'", i, b.output_ids.size(),
                         name_of(b.finish_reason), a.output_ids.size(), name_of(a.finish_reason));
    }
    if (a.text != b.text) return fmt::format("request {}: the text is '{}', expected '{}'", i, b.text, a.text);
  }
  return "";
}

}  // namespace stagecraft::testing
