/// @file
/// Configuration, tokenizer, jobs; then files, device and weights.
#include "stages/core/session.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/progress.h"

namespace stagecraft {
namespace {

/// The engine, with a progress line while its weights are read.
Engine open_with_progress(ModelFiles files, std::unique_ptr<Device> device, int64_t max_positions,
                          const InterruptWatch& interrupt) {
  ProgressLine line("reading weights");
  return open_engine(std::move(files), std::move(device), max_positions, [&](double share) {
    if (interrupt.requested()) throw Interrupted{};
    line.update(share);
  });
}

/// --logits holds one prompt's positions.
void check_logits_option(const Options& options, const std::vector<Job>& jobs) {
  if (options.logits.empty() || jobs.size() == 1) return;
  throw BadInput(fmt::format("--logits is for one prompt, and there are {}", jobs.size()), "run them one by one");
}

std::vector<std::string> notes_on(const Options& options, const Asked& asked, const std::vector<Job>& jobs,
                                  const ModelConfig& config) {
  if (asked.workload) return {"the workload says how long each output is: end-of-text tokens end nothing"};
  std::vector<std::string> notes;
  for (const Job& job : jobs) {
    if (job.refusal || job.request.max_tokens >= options.max_tokens) continue;
    notes.push_back(fmt::format("{}: the model's context of {} tokens ends it after {} new tokens", job.origin,
                                config.context, job.request.max_tokens));
  }
  return notes;
}

}  // namespace

std::string name_of_folder(const std::filesystem::path& folder) {
  return std::filesystem::absolute(folder / "").lexically_normal().parent_path().filename().string();
}

Session open_session(const Options& options, const Asked& asked, const InterruptWatch& interrupt) {
  ModelFiles model = read_model_files(options.model);
  std::vector<Job> jobs = jobs_from(asked, options, model.tokenizer, model.config);
  check_logits_option(options, jobs);
  std::vector<std::string> notes = notes_on(options, asked, jobs, model.config);

  std::unique_ptr<Device> device = make_device(options.device, options.threads);
  ReportFiles files(options);
  Engine engine = open_with_progress(std::move(model), std::move(device), most_stored(jobs), interrupt);
  const bool lengths_decide = options.ignore_end_of_text || asked.workload;
  std::vector<TokenId> end_of_text = lengths_decide ? std::vector<TokenId>{} : engine.config.end_of_text;
  return {std::move(engine), std::move(jobs), std::move(notes), std::move(files), std::move(end_of_text)};
}

RunLog Session::run_jobs(StageEngine& stage, NumberType kv_type, EngineClock& clock) const {
  return run(stage, jobs, {.kv_type = kv_type, .end_of_text = end_of_text, .clock = &clock});
}

void print_heading(const StageInfo& stage, const Options& options, const Session& session) {
  const ModelWeights& weights = session.model->weights();
  fmt::print(stderr, "stage {} {}; model {} ({}, {} parameters, {}); device {}; K/V {}\n", stage.number, stage.name,
             name_of_folder(options.model), session.config.architecture, with_commas(weights.parameters),
             name_of(weights.type), session.device->description(), name_of(options.kv_type));
  for (const std::string& warning : weights.warnings) fmt::print(stderr, "warning: {}\n", warning);
  for (const std::string& note : options.notes) fmt::print(stderr, "note: {}\n", note);
  for (const std::string& note : session.notes) fmt::print(stderr, "note: {}\n", note);
}

RunReport make_report(const StageInfo& stage, const Options& options, const Session& session, RunLog log) {
  const ModelWeights& weights = session.model->weights();
  const ByteSizes sizes{weights.bytes_per_forward, session.config.kv_bytes_per_token(options.kv_type)};
  const Counts counts = count_work(log.steps, sizes);
  const Totals totals = totals_of(log, counts, weights.parameters, options.limits);
  return {stage,
          std::string(session.device->name()),
          options.threads,
          {name_of_folder(options.model), session.config.architecture, weights.parameters, weights.bytes,
           std::string(name_of(weights.type))},
          std::move(log),
          counts,
          totals,
          options.limits,
          cpu_name(),
          {}};
}

}  // namespace stagecraft
