#pragma once
/// @file
/// What all six engines have in common: jobs go in, text comes out as it is made, and a RunLog remains. Programs, tests
/// and `compare` run a stage through this and know nothing else of it:
///
///     KvPool pool = kv_pool_for(engine, jobs, model, type);
///     RunLog log = engine.run({model, pool, tokenizer, end_of_text, jobs, clock, sink, cancelled});
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "stages/core/engine_clock.h"
#include "stages/core/job.h"
#include "stages/core/model.h"
#include "stages/core/run_log.h"
#include "stages/core/text_sink.h"

namespace stagecraft {

class Generation;

/// A run after a step, for whoever watches it.
struct RunProgress {
  TimePoint now;
  const std::deque<Generation>& requests;  // in the order of arrival, those that have not come yet included
  const std::vector<StepRecord>& steps;
};

/// A run's surroundings. All that is referred to must outlive the run.
struct RunInput {
  Model& model;
  KvPool& pool;  // at least StageEngine::kv_slots; its content does not matter
  const Tokenizer& tokenizer;
  const std::vector<TokenId>& end_of_text;  // what ends a request; none: its length alone
  const std::vector<Job>& jobs;             // (requests) in the order of arrival; request.id is the index
  EngineClock& clock;
  TextSink& sink;
  /// Asked between steps about each request that has not ended: true cancels it.
  std::function<bool(const Request&)> cancelled = [](const Request&) { return false; };
  /// Told after each step, once its tokens were handed out.
  std::function<void(const RunProgress&)> after_step = [](const RunProgress&) {};
};

/// What a KV pool is made of.
struct KvMemory {
  int64_t bytes_per_token = 0;  // ModelConfig::kv_bytes_per_token
  int64_t free_bytes = 0;       // of the device
  int64_t context = 0;          // ModelConfig::context: no sequence is longer
};

class StageEngine {
 public:
  virtual ~StageEngine() = default;

  /// Slots of the KV pool that this engine wants for `jobs`. Throws BadInput if `memory` is too small for any of them.
  virtual int64_t kv_slots(const std::vector<Job>& jobs, const KvMemory& memory) const = 0;

  /// Serves all jobs, to their end or until they are cancelled; those that can never be served are in the log as
  /// refused. Throws Failure if the model's logits are unusable. The engine itself keeps nothing from run to run.
  virtual RunLog run(const RunInput& input) = 0;
};

/// On the device of `model`, for K/V of `type`.
KvMemory kv_memory_of(const Model& model, NumberType type);

/// A pool on `model`'s device that is large enough for `engine` to serve `jobs`.
KvPool kv_pool_for(const StageEngine& engine, const std::vector<Job>& jobs, const Model& model, NumberType type);

}  // namespace stagecraft
