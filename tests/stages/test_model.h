#pragma once
/// @file
/// A model on a device, and the shortest way to run an engine on it: with a pool full of NaN, so that whatever is read
/// without having been written shows.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "stages/core/engine.h"

namespace stagecraft::testing {

class TestModel {
 public:
  /// `folder` is below the source tree, such as "models/tales-400k".
  explicit TestModel(const std::string& folder, const std::string& device = "cpu");
  TestModel(const std::string& folder, std::unique_ptr<Device> device);

  const Engine& engine() const { return engine_; }
  Device& device() { return *engine_.device; }
  Model& model() { return *engine_.model; }
  const ModelConfig& config() const { return engine_.config; }
  const Tokenizer& tokenizer() const { return engine_.tokenizer; }

  /// A pool in which every number is a NaN.
  KvPool poisoned_pool(NumberType type, int64_t slots);

 private:
  Engine engine_;
};

/// models/tales-400k on the cpu, read once.
TestModel& tales_400k();
/// models/tales-5m on the cpu, read once.
TestModel& tales_5m();

/// All bytes of `pool`.
std::vector<std::byte> bytes_of_pool(Device& device, const KvPool& pool);

struct RunOptions {
  NumberType kv_type = NumberType::bf16;
  CostModel cost = CostModel::constant_step(1'000'000);  // a step takes one millisecond
  TextSink* sink = nullptr;                              // nothing: the text is in the log alone
  std::function<bool(const Request&)> cancelled = [](const Request&) { return false; };
  bool ends_at_end_of_text = false;
};

/// Runs `jobs` on a poisoned pool and on a virtual clock.
RunLog run_engine(StageEngine& engine, TestModel& on, const std::vector<Job>& jobs, const RunOptions& options = {});

/// Empty, or the first request whose tokens, text or end differ.
std::string difference(const RunLog& expected, const RunLog& actual);

}  // namespace stagecraft::testing
