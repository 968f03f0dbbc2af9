/// @file
/// EXACTNESS T10 for the stages: the simulated kernels of kernels/cuda give the tokens of the cpu.
#include "stages/2_kv_cache/engine.h"
#include "stages/3_batching/engine.h"
#include "stages/4_continuous_batching/engine.h"
#include "tests/catch.h"
#include "tests/stages/mixed_requests.h"
#include "tests/stages/test_devices.h"
#include "tests/stages/test_model.h"

using namespace stagecraft;
using namespace stagecraft::testing;

TEST_CASE("stages 2 to 4 give the same tokens on every device", "[stages][T10]") {
  const std::string folder = "tests/golden/models/llama";
  TestModel on_cpu(folder);
  const std::vector<Job> jobs =
      mixed_requests({.count = 4, .longest_prompt = 12, .longest_output = 5, .seed = 61}, on_cpu.config());
  KvCacheEngine cached;
  const RunLog expected = run_engine(cached, on_cpu, jobs);
  on_each_device([&](Device& device) {
    TestModel model(folder, std::string(device.name()));
    StaticBatchEngine lock_step(3);
    ContinuousEngine continuous({.scheduler = {.max_running = 3}, .token_budget = 7});
    for (StageEngine* engine : std::initializer_list<StageEngine*>{&cached, &lock_step, &continuous}) {
      CHECK(difference(expected, run_engine(*engine, model, jobs)) == "");
    }
  });
}
