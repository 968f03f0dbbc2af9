#pragma once
/// @file
/// The engine as a library: a model that is ready on a device, and runs requests through any of the six stages. The
/// programs, `compare`, the tests and the labs all use it; so may you:
///
/// \snippet docs/examples/generate.cpp generate
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stages/core/stage_engine.h"

namespace stagecraft {

/// What can be known of a model without its weights.
struct ModelFiles {
  std::filesystem::path folder;
  ModelConfig config;
  Tokenizer tokenizer;
};

/// Reads config.json and tokenizer.json of a Hugging Face folder. Throws BadInput if it is none, if the model asks for
/// what we do not have, or if the two do not belong together.
ModelFiles read_model_files(const std::filesystem::path& folder);

/// How an engine runs; what is not given is what most want.
struct RunSettings {
  NumberType kv_type = NumberType::bf16;
  std::optional<std::vector<TokenId>> end_of_text = std::nullopt;  // absent: the model's; empty: nothing ends a text
  EngineClock* clock = nullptr;                                    // absent: the one on the wall
  TextSink* sink = nullptr;                                        // absent: the text is in the log alone
  std::function<bool(const Request&)> cancelled = [](const Request&) { return false; };  // see RunInput
  std::function<void(const RunProgress&)> after_step = [](const RunProgress&) {};        // see RunInput
};

/// What to do with a prompt.
struct GenerateOptions {
  int64_t max_tokens = 64;
  SamplingParams sampling = {};        // greedy
  std::vector<std::string> stop = {};  // texts that end it
  NumberType kv_type = NumberType::bf16;
  /// Told of each piece of text as it is made; `prompt` is the index of its prompt.
  std::function<void(int prompt, std::string_view piece)> on_text = {};
};

struct Engine {
  ModelConfig config;
  Tokenizer tokenizer;
  std::unique_ptr<Device> device;
  std::unique_ptr<Model> model;  // on `device`

  /// Serves `jobs` through `stage`, on a KV pool that is made for them. Throws what StageEngine::kv_slots and run throw.
  RunLog run(StageEngine& stage, const std::vector<Job>& jobs, const RunSettings& settings = {}) const;
  /// The same on a pool of at least StageEngine::kv_slots.
  RunLog run(StageEngine& stage, const std::vector<Job>& jobs, KvPool& pool, const RunSettings& settings) const;

  /// Continues each prompt: text, token ids and times, in the order of the prompts. One prompt that is bad throws
  /// BadInput; one among several is refused (RequestRecord::refusal), and the others are served.
  std::vector<RequestRecord> generate(StageEngine& stage, const std::vector<std::string>& prompts,
                                      const GenerateOptions& options = {}) const;
};

/// A model on the device that is called `device` (see make_device), for sequences up to its whole context. Throws BadInput
/// for what is wrong with the folder or the device, Failure if memory runs out.
Engine open_engine(const std::filesystem::path& folder, const std::string& device = "auto", int threads = 0);

/// The same from parts: for sequences of at most `max_positions`, and with `progress` told what share of the weights
/// has been read.
Engine open_engine(ModelFiles files, std::unique_ptr<Device> device, int64_t max_positions,
                   const std::function<void(double)>& progress = {});

}  // namespace stagecraft
