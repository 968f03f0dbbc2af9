/// @file
/// Prompts, configuration, tokenizer, requests; then files, device and weights.
#include "stages/core/session.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/progress.h"

namespace stagecraft {
namespace {

int64_t longest_of(const std::vector<Request>& requests) {
  int64_t longest = 1;
  for (const Request& request : requests) longest = std::max(longest, request.prompt_tokens + request.max_tokens);
  return longest;
}

ModelWeights read_weights(const std::filesystem::path& folder, const ModelConfig& config,
                          const InterruptWatch& interrupt) {
  ProgressLine line("reading weights");
  LoadOptions how;
  how.progress = [&](double share) {
    if (interrupt.requested()) throw Interrupted{};
    line.update(share);
  };
  return load_weights(folder, config, how);
}

void check_folder(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (std::filesystem::is_directory(folder, ignored)) return;
  throw BadInput(fmt::format("--model: there is no folder '{}'", folder.string()),
                 "name a Hugging Face folder with config.json, model.safetensors and tokenizer.json");
}

/// --logits holds one prompt's positions.
void check_logits_option(const Options& options, const std::vector<Request>& requests) {
  if (options.logits.empty() || requests.size() == 1) return;
  throw BadInput(fmt::format("--logits is for one prompt, and there are {}", requests.size()), "run them one by one");
}

}  // namespace

int64_t Session::longest_request() const { return longest_of(requests); }

Session open_session(const Options& options, std::vector<Prompt> prompts, const InterruptWatch& interrupt) {
  check_folder(options.model);
  const ModelConfig config = read_model_config(options.model);
  Tokenizer tokenizer = Tokenizer::load(options.model);
  check_vocabulary(tokenizer, config);
  std::vector<Request> requests = make_requests(prompts, options, tokenizer, config);
  check_logits_option(options, requests);

  std::unique_ptr<Device> device = make_device(options.device, options.threads);
  ReportFiles files(options);
  auto model =
      std::make_unique<Model>(*device, config, read_weights(options.model, config, interrupt), longest_of(requests));
  return {config,
          std::move(tokenizer),
          std::move(prompts),
          std::move(requests),
          std::move(files),
          std::move(device),
          std::move(model),
          options.ignore_end_of_text ? std::vector<TokenId>{} : config.end_of_text};
}

void print_heading(const StageInfo& stage, const Options& options, const Session& session) {
  const ModelWeights& weights = session.model->weights();
  fmt::print(stderr, "stage {} {}; model {} ({}, {} parameters, {}); device {}; K/V {}\n", stage.number, stage.name,
             options.model.lexically_normal().string(), session.config.architecture, with_commas(weights.parameters),
             name_of(weights.type), session.device->description(), name_of(options.kv_type));
  for (const std::string& warning : weights.warnings) fmt::print(stderr, "warning: {}\n", warning);
  for (const std::string& note : options.notes) fmt::print(stderr, "note: {}\n", note);
  for (const Request& request : session.requests) {
    if (request.max_tokens >= options.max_tokens) continue;
    fmt::print(stderr, "note: {}: the model's context of {} tokens ends it after {} new tokens\n",
               session.prompts[size_t(request.id)].origin, session.config.context, request.max_tokens);
  }
}

RunReport make_report(const StageInfo& stage, const Options& options, const Session& session, const KvPool& pool,
                      RunLog log) {
  const ModelWeights& weights = session.model->weights();
  const ByteSizes sizes{weights.bytes_per_forward, session.config.kv_bytes_per_token(options.kv_type), pool.bytes()};
  const Counts counts = count_work(log.steps, sizes);
  const Totals totals = totals_of(log, counts, weights.parameters, options.limits);
  const std::string folder = std::filesystem::absolute(options.model / "").parent_path().filename().string();
  return {stage,
          std::string(session.device->name()),
          options.threads,
          {folder, session.config.architecture, weights.parameters, weights.bytes, std::string(name_of(weights.type))},
          std::move(log),
          counts,
          totals,
          options.limits,
          cpu_name(),
          {}};
}

}  // namespace stagecraft
