/// @file
/// Files, device, weights; then pools and runs.
#include "stages/core/engine.h"

#include <utility>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/prompts.h"

namespace stagecraft {
namespace {

class CallbackSink final : public TextSink {
 public:
  explicit CallbackSink(const std::function<void(int, std::string_view)>& on_text) : on_text_(on_text) {}

  void text(int request, std::string_view piece) override {
    if (on_text_) on_text_(request, piece);
  }
  void finished(int) override {}

 private:
  const std::function<void(int, std::string_view)>& on_text_;
};

}  // namespace

ModelFiles read_model_files(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) {
    throw BadInput(fmt::format("--model: there is no folder '{}'", folder.string()),
                   "name a Hugging Face folder with config.json, model.safetensors and tokenizer.json");
  }
  ModelFiles files{folder, read_model_config(folder), Tokenizer::load(folder)};
  check_vocabulary(files.tokenizer, files.config);
  return files;
}

Engine open_engine(ModelFiles files, std::unique_ptr<Device> device, int64_t max_positions,
                   const std::function<void(double)>& progress) {
  LoadOptions how;
  if (progress) how.progress = progress;
  auto model =
      std::make_unique<Model>(*device, files.config, load_weights(files.folder, files.config, how), max_positions);
  return {std::move(files.config), std::move(files.tokenizer), std::move(device), std::move(model)};
}

Engine open_engine(const std::filesystem::path& folder, const std::string& device, int threads) {
  ModelFiles files = read_model_files(folder);
  const int64_t context = files.config.context;
  return open_engine(std::move(files), make_device(device, threads), context);
}

RunLog Engine::run(StageEngine& stage, const std::vector<Job>& jobs, const RunSettings& settings) const {
  KvPool pool = kv_pool_for(stage, jobs, *model, settings.kv_type);
  return run(stage, jobs, pool, settings);
}

RunLog Engine::run(StageEngine& stage, const std::vector<Job>& jobs, KvPool& pool, const RunSettings& settings) const {
  WallClock wall;
  NoTextSink nowhere;
  const std::vector<TokenId>& end_of_text = settings.end_of_text ? *settings.end_of_text : config.end_of_text;
  return stage.run({*model, pool, tokenizer, end_of_text, jobs, settings.clock ? *settings.clock : wall,
                    settings.sink ? *settings.sink : nowhere, settings.cancelled, settings.after_step});
}

std::vector<RequestRecord> Engine::generate(StageEngine& stage, const std::vector<std::string>& prompts,
                                            const GenerateOptions& options) const {
  Options asked;
  asked.max_tokens = options.max_tokens;
  asked.sampling = options.sampling;
  asked.stop = options.stop;
  std::vector<Prompt> named;
  for (const std::string& text : prompts) named.push_back({fmt::format("prompt {}", named.size() + 1), text, {}});
  CallbackSink sink(options.on_text);
  RunSettings settings;
  settings.kv_type = options.kv_type;
  settings.sink = &sink;
  constexpr int kOneSample = 1;
  return run(stage, jobs_from(named, kOneSample, asked, tokenizer, config), settings).requests;
}

}  // namespace stagecraft
