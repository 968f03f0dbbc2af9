/// @file
/// lab skeleton and lab prove: for those who make labs.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "kernels/check.h"
#include "labs/program/commands.h"
#include "labs/program/grading.h"
#include "labs/program/regions.h"

namespace stagecraft::labs {
namespace {

namespace fs = std::filesystem;

/// What a trial showed.
struct Trial {
  std::string name, promise;
  bool kept = false;
  std::string what;  // for the table
};

/// A folder with one version of a lab's files, and its results.
class Proof {
 public:
  Proof(const Session& session, const LabInfo& lab)
      : session_(session),
        lab_(lab),
        folder_(session.places.binary / "labs" / "prove" / lab.id),
        program_(read_toolchain(session.places, lab).checks) {
    fs::remove_all(folder_);
  }

  /// Builds and grades files that are the solution's with `bodies` in it, or the skeleton. `what` limits the checks.
  LabResults grade_files(const std::string& name, bool skeleton, const std::map<std::string, std::string>& bodies,
                         const std::string& what, std::string& messages) const {
    const Path sources = folder_ / name;
    for (const std::string& file : lab_.files) write_file(sources / file, content(file, skeleton, bodies));
    const LearnerBuild build = build_learner(session_.places, lab_, sources, sources / "build", BuildKind::checked,
                                             folder_ / "objects" / (bodies.empty() ? name : "variants"));
    messages = build.messages;
    if (!build.ok) throw Failure(fmt::format("{} does not compile:\n{}", name, build.messages));
    GradeOptions options;
    options.what = what;
    LabResults results;
    Predictions none;
    // What a task builds on is the solution's here, and passes.
    LabInfo alone = lab_;
    if (what != lab_.id)
      for (TaskInfo& task : alone.tasks) task.needs.clear();
    grade(alone, program_, build, options, results, none, {});
    return results;
  }

 private:
  std::string content(const std::string& file, bool skeleton, const std::map<std::string, std::string>& bodies) const {
    if (skeleton) return read_file(lab_.path(session_.places) / "skeleton" / file);
    return with_regions(solution_without_given(read_file(lab_.solutions(session_.places) / file)), bodies, file);
  }

  const Session& session_;
  const LabInfo& lab_;
  Path folder_;
  std::string program_;
};

bool says(const CheckResult& result, const std::string& message) {
  return (result.expected + "\n" + result.got).find(message) != std::string::npos;
}

Trial try_skeleton(const Proof& proof, const LabInfo& lab) {
  std::string messages;
  const LabResults results = proof.grade_files("skeleton", true, {}, lab.id, messages);
  Trial trial{"skeleton", "compiles without a warning, every task todo, 0 points", messages.empty(), messages};
  for (const TaskInfo& task : lab.tasks) {
    for (const CheckInfo& check : task.checks) {
      const CheckResult result = results.of(check.id, check.points);
      if (is_skipped(result.outcome) && result.points == 0) continue;
      trial.kept = false;
      trial.what += fmt::format("{} is {}; ", check.id, name_of(result.outcome));
    }
  }
  return trial;
}

Trial try_solution(const Proof& proof, const LabInfo& lab) {
  std::string messages;
  const LabResults results = proof.grade_files("solution", false, {}, lab.id, messages);
  Trial trial{"solution", "compiles without a warning, all points", messages.empty(), messages};
  for (const TaskInfo& task : lab.tasks) {
    for (const CheckInfo& check : task.checks) {
      const CheckResult result = results.of(check.id, check.points);
      if (result.outcome == Outcome::pass) continue;
      trial.kept = false;
      trial.what += fmt::format("{} is {}: expected {}, got {}; ", check.id, name_of(result.outcome), result.expected,
                                result.got);
    }
  }
  return trial;
}

Trial try_variant(const Proof& proof, const LabInfo& lab, const Variant& variant) {
  const bool fails = variant.promise == Variant::Promise::fails;
  const std::string task_id = fails ? variant.id.substr(0, variant.id.rfind('.')) : variant.id;
  const TaskInfo* task = lab.task(task_id);
  if (!task) throw BadInput(fmt::format("{}: there is no task {}", variant.name, task_id));
  std::string messages;
  const LabResults results = proof.grade_files(variant.name, false, variant.bodies, task_id, messages);
  Trial trial{variant.name, fails ? fmt::format("{} fails: {}", variant.id, variant.message) : "", true, ""};
  double points = 0, of = 0;
  for (const CheckInfo& check : task->checks) {
    const CheckResult result = results.of(check.id, check.points);
    points += result.points;
    of += check.points;
    if (result.outcome != Outcome::pass)
      trial.what += fmt::format("{} {} ({}); ", check.id, name_of(result.outcome), result.got.substr(0, 90));
  }
  if (fails) {
    const CheckResult promised = results.of(variant.id, 0);
    trial.kept = is_failure(promised.outcome) && says(promised, variant.message);
  } else if (variant.promise == Variant::Promise::passes) {
    trial.promise = "all points of " + task_id;
    trial.kept = points == of;
  } else {
    trial.promise = "no point of " + task_id;
    trial.kept = points == 0;
  }
  return trial;
}

std::vector<std::function<Trial()>> all_trials(const Session& session, const LabInfo& lab, const Proof& proof) {
  std::vector<std::function<Trial()>> trials = {[&] { return try_solution(proof, lab); },
                                                [&] { return try_skeleton(proof, lab); }};
  for (const char* folder : {"mutants", "alternates"}) {
    for (Variant& variant : read_variants(lab.path(session.places) / folder)) {
      trials.push_back([&proof, &lab, one = std::move(variant)] { return try_variant(proof, lab, one); });
    }
  }
  return trials;
}

}  // namespace

int make_skeleton(const Session& session, const std::string& id, bool check) {
  const LabInfo& lab = session.lab(id);
  bool same = true;
  for (const std::string& file : lab.files) {
    const std::string text = skeleton_of(read_file(lab.solutions(session.places) / file), file);
    const Path path = lab.path(session.places) / "skeleton" / file;
    const bool equal = fs::exists(path) && read_file(path) == text;
    if (!equal) fmt::print("{} {}\n", shown(session.places, path), check ? "differs from its solution" : "written");
    if (!equal && !check) write_file(path, text);
    same = same && equal;
  }
  return same || !check ? 0 : 1;
}

int prove(const Session& session, const std::string& id) {
  const LabInfo& lab = session.lab(id);
  build_project(session, lab.id + "_ready");
  if (make_skeleton(session, lab.id, true) != 0)
    throw Failure("skeleton/ is not what solutions/ makes", "labs/lab skeleton " + lab.id);
  const Proof proof(session, lab);
  const std::vector<std::function<Trial()>> trials = all_trials(session, lab, proof);
  std::atomic<size_t> next{0};
  std::atomic<int> broken{0};
  std::mutex printing;
  const auto work = [&] {
    for (size_t i = next++; i < trials.size(); i = next++) {
      Trial trial;
      try {
        trial = trials[i]();
      } catch (const std::exception& error) {
        trial = {fmt::format("trial {}", i), "", false, error.what()};
      }
      broken += !trial.kept;
      const std::lock_guard lock(printing);
      fmt::print("  {:<8} {:<34} {}\n", trial.kept ? "kept" : "BROKEN", trial.name, trial.promise);
      if (!trial.kept) fmt::print("           {}\n", trial.what);
      std::fflush(stdout);
    }
  };
  const size_t all = trials.size();
  std::vector<std::thread> workers;
  for (unsigned i = 1; i < std::max(1u, std::thread::hardware_concurrency()); ++i) workers.emplace_back(work);
  work();
  for (std::thread& worker : workers) worker.join();
  fmt::print("{} promises, {} broken\n", all, broken.load());
  return broken == 0 ? 0 : 1;
}

}  // namespace stagecraft::labs
