/// @file
/// Device memory runs out at the first allocation, at the second, ...: each time a clean Failure that says so, nothing
/// leaks, and the same engine object with the same model then serves the same requests with the right bits.
#include <iostream>

#include "tests/catch.h"
#include "tests/engines/failing_device.h"
#include "tests/engines/step_watch.h"
#include "tests/sanitized.h"

namespace stagecraft::testing {
namespace {

constexpr int64_t kStride = repetitions(1, 16);  // between the allocations that are tried

/// Empty if `call` succeeds; what it says if the device's memory ran out. Anything else is thrown on.
std::string failure_of(const std::function<void()>& call) {
  try {
    call();
    return "";
  } catch (const Failure& error) {
    return error.what();
  }
}

/// The busy cell with a draft model, which has a pool and passes of its own; on the simulator a small part of it.
Cell cell_of(int stage, const std::string& device) {
  Cell cell = busy_cell();
  if (device == "sim") {
    cell.jobs.resize(2);
    for (Job& job : cell.jobs) job.request.max_tokens = 3;
  }
  cell.stage = stage;
  cell.watched = false;
  cell.drafting = Drafting::model;
  cell.draft_model = cell.model;
  return cell;
}

}  // namespace

TEST_CASE("memory that runs out at any allocation of a run: a Failure, no leak, and the engine is as good as before",
          "[engines][fault][allocation]") {
  for (const std::string device : {"cpu", "sim"}) {
    if (device == "sim" && !has_simulator()) continue;
    for (const int stage : {1, 2, 3, 4, 5, 6}) {
      if (device == "sim" && stage != 6) continue;  // it takes long, and the devices share all of this code
      const Cell cell = cell_of(stage, device);
      const RunLog expected = expected_of(cell);
      int64_t failures = 0;
      for (int64_t n = 0;; n += kStride * (device == "sim" ? 3 : 1)) {
        INFO(device << ", stage " << stage << ", allocation " << n);
        // A new model: its passes' memory grows as it runs, so an old one would allocate less and less.
        MemoryMeter meter;
        {
          TestModel on(cell.model, std::make_unique<FailingDevice>(make_device(device, 1), meter));
          const int64_t of_the_model = meter.live;
          std::unique_ptr<StageEngine> engine = engine_of(cell, on);
          meter.until_failure = n;
          RunLog log;
          const std::string failure = failure_of([&] { log = run_once(cell, on, *engine); });
          const bool ran_out = meter.until_failure < 0;
          meter.until_failure = -1;
          if (!failure.empty()) {
            REQUIRE(failure.find("fails on purpose") != std::string::npos);
            ++failures;
          } else {
            REQUIRE(difference(expected, log) == "");  // all went well, or only a draft came to nothing
          }
          REQUIRE(difference(expected, run_once(cell, on, *engine)) == "");
          if (!ran_out) break;
          engine.reset();
          REQUIRE(meter.live >= of_the_model);  // what passes keep belongs to the model
        }
        REQUIRE(meter.live == 0);
      }
      CHECK(failures > 10 / kStride);
    }
  }
}

TEST_CASE("memory that runs out while a model is opened: a Failure, and no leak", "[engines][fault][allocation]") {
  for (int64_t n = 0;; ++n) {
    INFO("allocation " << n);
    MemoryMeter meter;
    meter.until_failure = n;
    const std::string failure = failure_of([&] {
      TestModel on("tests/golden/models/llama", std::make_unique<FailingDevice>(make_device("cpu", 1), meter));
    });
    REQUIRE(meter.live == 0);
    if (failure.empty()) {
      CHECK(n > 0);
      return;
    }
    REQUIRE(failure.find("fails on purpose") != std::string::npos);
  }
}

TEST_CASE("the meter sees a leak", "[engines][fault][allocation][control]") {
  MemoryMeter meter;
  FailingDevice device(make_device("cpu", 1), meter);
  {
    DeviceArray<float> array(device, 8);
    CHECK(meter.live == 1);
  }
  CHECK(meter.live == 0);
  void* const leaked = device.allocate(8);
  CHECK(meter.live == 1);
  device.release(leaked);
}

}  // namespace stagecraft::testing
