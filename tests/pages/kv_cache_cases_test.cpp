/// @file
/// The engine's counts for the page of the KV cache: laws, bytes, and whole runs of stages 1 and 2, pass by pass.
#include "stages/1_naive/engine.h"
#include "stages/2_kv_cache/engine.h"
#include "stages/2_kv_cache/work.h"
#include "stages/core/counting_laws.h"
#include "stages/plan/model_table.h"
#include "tests/pages/cases_file.h"
#include "tests/stages/test_model.h"

namespace stagecraft::testing {
namespace {

json law_cases(Dice& dice) {
  json cases = json::array();
  for (int i = 0; i < 200; ++i) {
    const int64_t prompt = dice.between(1, 5000), output = i == 0 ? 0 : dice.between(1, 3000);
    cases.push_back({{"prompt", prompt},
                     {"output", output},
                     {"naive", naive_tokens_forwarded(prompt, output)},
                     {"cached", cached_tokens_forwarded(prompt, output)}});
  }
  return cases;
}

/// What each pass of a run read from the cache, computed again, and computed for the first time.
json passes_of(const RunLog& log) {
  json passes = json::array();
  for (const StepRecord& step : log.steps) {
    REQUIRE(step.parts.size() == 1);
    const StepPart& part = step.parts.front();
    passes.push_back(
        {{"read", part.kv_length - part.rows}, {"again", part.recomputed}, {"fresh", part.rows - part.recomputed}});
  }
  return passes;
}

Job job_of(int64_t prompt, int64_t output) {
  Job job;
  job.request.tokens.assign(size_t(prompt), 1);
  job.request.prompt_tokens = prompt;
  job.request.max_tokens = output;
  return job;
}

json run_cases() {
  json cases = json::array();
  for (const auto& [prompt, output] : std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {7, 1}, {1, 9}, {12, 24}}) {
    NaiveEngine naive;
    KvCacheEngine cached;
    const std::vector<Job> jobs{job_of(prompt, output)};
    cases.push_back({{"prompt", prompt},
                     {"output", output},
                     {"naive", passes_of(run_engine(naive, tales_400k(), jobs))},
                     {"cached", passes_of(run_engine(cached, tales_400k(), jobs))}});
  }
  return cases;
}

json byte_cases(Dice& dice) {
  json cases = json::array();
  for (int i = 0; i < 100; ++i) {
    ModelConfig config;
    config.layers = int(dice.between(1, 128));
    config.kv_heads = int(dice.between(1, 16));
    config.heads = config.kv_heads * int(dice.between(1, 8));
    config.head_dim = int(dice.between(8, 256));
    const NumberType type = dice.one_in(2) ? NumberType::fp32 : NumberType::bf16;
    json sharings = json::array();
    for (const HeadSharing& sharing : head_sharings(config, type)) {
      sharings.push_back(
          {{"name", sharing.name}, {"kvHeads", sharing.kv_heads}, {"bytes", sharing.kv_bytes_per_token}});
    }
    cases.push_back({{"layers", config.layers},
                     {"heads", config.heads},
                     {"kvHeads", config.kv_heads},
                     {"headDim", config.head_dim},
                     {"bytes", bytes_of(type)},
                     {"perToken", config.kv_bytes_per_token(type)},
                     {"sharings", sharings}});
  }
  return cases;
}

json row_of(const std::string& name, const ModelConfig& config) {
  return {{"name", name},
          {"layers", config.layers},
          {"heads", config.heads},
          {"kvHeads", config.kv_heads},
          {"headDim", config.head_dim},
          {"context", config.context}};
}

/// All that the page could offer: the planner's table, and the model in the repository.
json model_rows() {
  json rows = json::array();
  rows.push_back(row_of("tales-5m", read_model_config(STAGECRAFT_SOURCE_DIR "/models/tales-5m")));
  for (const PublicModel& model : all_models()) {
    const ModelShape& shape = model.shape;
    rows.push_back({{"name", shape.name},
                    {"layers", shape.layers},
                    {"heads", shape.heads},
                    {"kvHeads", shape.kv_heads},
                    {"headDim", shape.head_dim},
                    {"context", shape.context}});
  }
  return rows;
}

}  // namespace

TEST_CASE("the engine's counts of a KV cache are written for the page") {
  Dice dice(1);
  write_cases(
      "kv_cache",
      {{"laws", law_cases(dice)}, {"runs", run_cases()}, {"bytes", byte_cases(dice)}, {"models", model_rows()}});
}

}  // namespace stagecraft::testing
