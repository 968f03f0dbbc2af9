#pragma once
/// @file
/// From options to a model that is ready and requests that are known to be good: the same way in for all six stages.
/// What can be refused without reading a weight is refused first.
#include <filesystem>
#include <memory>
#include <vector>

#include "stages/core/engine.h"
#include "stages/core/interrupt.h"
#include "stages/core/report_files.h"
#include "stages/core/run_report.h"

namespace stagecraft {

/// An engine, and what one call of a program asks of it.
struct Session : Engine {
  std::vector<Job> jobs;           // (requests)
  std::vector<std::string> notes;  // for people: what is not quite as they asked
  ReportFiles files;
  std::vector<TokenId> end_of_text;  // what ends a request: the model's tokens, or none with --ignore-eos or a workload

  /// Engine::run of these jobs, their ends being `end_of_text`.
  RunLog run_jobs(StageEngine& stage, NumberType kv_type, EngineClock& clock) const;
};

/// Reads the model, and makes jobs of what is `asked`. Throws BadInput, and Interrupted if `interrupt` says so while
/// weights are read.
Session open_session(const Options& options, const Asked& asked, const InterruptWatch& interrupt);

/// A folder's own name, without the way to it: how a model is called.
std::string name_of_folder(const std::filesystem::path& folder);

/// What runs, for people, on standard error: stage, model, device, threads, K/V type; warnings and notes.
void print_heading(const StageInfo& stage, const Options& options, const Session& session);

/// The report of a run of `session`. The stage adds its own lines to `work`.
RunReport make_report(const StageInfo& stage, const Options& options, const Session& session, RunLog log);

}  // namespace stagecraft
