/// @file
/// lab bench: the stage's own program, three times at equal output: the stage before, yours, the reference.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/check.h"
#include "labs/program/child.h"
#include "labs/program/commands.h"
#include "labs/program/predictions.h"
#include "labs/program/results.h"

namespace stagecraft::labs {
namespace {

using Json = nlohmann::json;

struct Run {
  std::string name;
  Json outputs;  // the tokens of each request
  double tokens_per_s = 0;
  Json counts;
};

Run run_stage(const Session& session, const LabInfo& lab, const std::string& name, const Path& program) {
  const Path file = session.places.state_of(lab.id) / "bench" / "report.json";
  std::filesystem::remove(file);
  std::vector<std::string> command = {"/usr/bin/env",   "-C",     session.places.source.string(),
                                      program.string(), "--json", file.string()};
  command.insert(command.end(), lab.bench->arguments.begin(), lab.bench->arguments.end());
  constexpr double kMostSeconds = 300;
  ChildOptions how;
  how.seconds = kMostSeconds;
  fmt::print(stderr, "running {} ...\n", name);
  const ChildResult child = run_child(command, how);
  if (child.exit_code != 0) {
    throw Failure(fmt::format("{} failed with exit code {}:\n{}", name, child.exit_code, child.output));
  }
  const Json report = Json::parse(read_file(file));
  Run run{name, Json::array(), report["totals"].value("output_tokens_per_s", 0.0), report["counts"]};
  for (const Json& request : report["requests"]) run.outputs.push_back(request["output_ids"]);
  return run;
}

void print_run(const Run& run, const Run& mine) {
  fmt::print("  {:<28}{:>12.2f}{:>10}{:>16}{:>16}\n", run.name, run.tokens_per_s,
             &run == &mine ? "1" : fmt::format("{:.2f}", mine.tokens_per_s / run.tokens_per_s),
             run.counts.value("tokens_forwarded", int64_t{0}), run.counts.value("tokens_recomputed", int64_t{0}));
}

void print_predictions(const Session& session, const LabInfo& lab) {
  const Predictions predictions = load_predictions(session.places.state_of(lab.id));
  const LabResults results = load_results(session.places.state_of(lab.id));
  for (const QuestionInfo& question : lab.questions) {
    const auto answer = predictions.find(question.id);
    const std::string measured = results.of(question.id, 0).measured;
    if (answer == predictions.end() || measured.empty()) continue;
    fmt::print("  {}  predicted {:g}, measured {} {}\n", question.id, answer->second.value, measured, question.unit);
  }
}

}  // namespace

int bench(const Session& session, const std::string& id) {
  const LabInfo& lab = session.lab(id);
  if (!lab.bench) throw BadInput(lab.id + " has no stage to run in", "labs/lab profile shows what its kernels move");
  const LabResults results = load_results(session.places.state_of(lab.id));
  for (const std::string& need : lab.bench->needs) {
    if (!results.passes(*lab.task(need))) throw BadInput(need + " does not pass yet", "labs/lab test " + need);
  }
  const LearnerBuild build = build_copy(session, lab, BuildKind::bench);
  const Path programs = session.places.binary / "bin";
  std::vector<Run> runs;
  if (!lab.bench->previous.empty())
    runs.push_back(run_stage(session, lab, lab.bench->previous, programs / lab.bench->previous));
  runs.push_back(run_stage(session, lab, lab.bench->program + " with yours", build.program));
  const size_t mine = runs.size() - 1;
  runs.push_back(run_stage(session, lab, lab.bench->program, programs / lab.bench->program));
  for (const Run& run : runs) {
    if (run.outputs == runs.back().outputs) continue;
    fmt::print("  the outputs differ: {} gives other tokens than {}. A speed-up of wrong output is none.\n", run.name,
               runs.back().name);
    return 1;
  }
  fmt::print("  equal output: {} tokens\n\n  {:<28}{:>12}{:>10}{:>16}{:>16}\n", runs.back().outputs.front().size(), "",
             "tokens/s", "yours is", "forwarded", "recomputed");
  for (const Run& run : runs) print_run(run, runs[mine]);
  fmt::print("\n  one run each, on whatever else this machine does: times cost no points\n");
  print_predictions(session, lab);
  return 0;
}

}  // namespace stagecraft::labs
