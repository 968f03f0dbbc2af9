/// @file
/// lab bench: the stage before, yours and the reference, each the stage's own program, in turns and at equal output.
#include <chrono>

#include <fmt/format.h>

#include "kernels/check.h"
#include "labs/program/bench_table.h"
#include "labs/program/commands.h"

namespace stagecraft::labs {
namespace {

Comparison contestants_for(const Session& session, const LabInfo& lab, const Path& mine) {
  const Path programs = session.places.binary / "bin";
  Comparison comparison;
  std::vector<Contestant>& all = comparison.contestants;
  if (!lab.bench->previous.empty()) all.push_back({lab.bench->previous, programs / lab.bench->previous, {}});
  comparison.mine = all.size();
  all.push_back({lab.bench->program + " with yours", mine, {}});
  all.push_back({lab.bench->program, programs / lab.bench->program, {}});
  return comparison;
}

/// Each contestant once. Tells on standard error where it is.
void run_round(const Session& session, const LabInfo& lab, Comparison& comparison, const std::string& title) {
  for (Contestant& one : comparison.contestants) {
    fmt::print(stderr, "{}: {} ... ", title, one.name);
    const auto start = std::chrono::steady_clock::now();
    one.runs.push_back(run_stage(one, lab.bench->arguments, session.places.source,
                                 session.places.state_of(lab.id) / "bench" / "report.json"));
    fmt::print(stderr, "{:.1f} s\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
}

/// The first contestant whose latest outputs are not the reference's.
const Contestant* first_that_differs(const Comparison& comparison) {
  const Contestant& reference = comparison.contestants.back();
  for (const Contestant& one : comparison.contestants) {
    if (one.runs.back().outputs != reference.runs.back().outputs) return &one;
  }
  return nullptr;
}

void print_tables(const Session& session, const LabInfo& lab, const Comparison& comparison) {
  const StageRun& run = comparison.contestants.back().runs.front();
  fmt::print("equal output: {} tokens, {} rounds\n\n{}\n", run.tokens, comparison.contestants.back().runs.size(),
             speed_table(comparison));
  const Path state = session.places.state_of(lab.id);
  fmt::print("{}\n", prediction_table(comparison, lab, load_predictions(state), load_results(state)));
  constexpr double kGiga = 1e9;
  fmt::print(
      "ideal: what {} thread{} of this processor could do at {:.1f} GB/s and {:.0f} GFLOP/s, measured just now\n",
      run.threads, run.threads == 1 ? "" : "s", comparison.machine.bytes_per_s / kGiga,
      comparison.machine.flop_per_s / kGiga);
  if (run.device == "sim")
    fmt::print("the device is the simulator, which watches every access: its times say little\n");
  fmt::print("times cost no points; where rounds disagree, or by less than 5 %, they are inconclusive\n");
}

}  // namespace

int bench(const Session& session, const std::string& id, int rounds) {
  const LabInfo& lab = session.lab(id);
  if (!lab.bench) throw BadInput(lab.id + " has no stage to run in", "labs/lab profile shows what its kernels move");
  const LabResults results = load_results(session.places.state_of(lab.id));
  for (const std::string& need : lab.bench->needs) {
    if (!results.passes(*lab.task(need))) throw BadInput(need + " does not pass yet", "labs/lab test " + need);
  }
  const LearnerBuild build = build_copy(session, lab, BuildKind::bench);
  Comparison comparison = contestants_for(session, lab, build.program);
  for (int round = 1; round <= rounds; ++round) {
    run_round(session, lab, comparison, fmt::format("round {} of {}", round, rounds));
    if (const Contestant* other = first_that_differs(comparison)) {
      fmt::print("the outputs differ: {} gives other tokens than {}. A speed-up of wrong output is none.\n",
                 other->name, comparison.contestants.back().name);
      return 1;
    }
  }
  comparison.machine = measure_machine(session.places.binary / "bin", comparison.contestants.back().runs[0].threads);
  print_tables(session, lab, comparison);
  return 0;
}

}  // namespace stagecraft::labs
