#pragma once
/// @file
/// The commands of `lab`. Each prints for people and returns the exit code; what the learner can put right is thrown as
/// BadInput.
#include <string>

#include "labs/program/session.h"

namespace stagecraft::labs {

/// Bare `lab`: where one stands, and the next step.
int status(const Session& session);
/// Is everything there that the labs need? Green on a fresh clone.
int doctor(const Session& session);

/// Copies a lab's skeleton to work/labNN, and shows where to write.
int start(const Session& session, const std::string& id);
/// Brings back the skeleton's files; the learner's are kept aside.
int reset(const Session& session, const std::string& id, const std::string& file);
/// The next hint of a task, or that of `level` (1 to 3).
int hint(const Session& session, const std::string& id, int level);
/// The solution of a task: after a pass, or to one who gives up.
int solution(const Session& session, const std::string& id, bool give_up);

struct TestOptions {
  std::string what;
  uint64_t seed = 1;
  std::string hidden;     // folder of an instructor
  std::string export_to;  // folder for all exports
  bool all = false;       // show every failure in full, not only the first
  bool time = false;      // tell on standard error how long it took
};
/// Runs the checks of a lab, a task or one check; exit code 1 unless all that can be graded pass.
int test(const Session& session, const TestOptions& options);
/// All checks and questions with a new seed, and the score.
int grade(const Session& session, const TestOptions& options);
/// `test` again whenever a file is saved; until Ctrl-C.
int watch(const Session& session, const std::string& what);
/// What the simulator counts in a check of a kernel.
int profile(const Session& session, const std::string& id);

/// Asks the questions of a lab that are open; or stores `answer` to one.
int predict(const Session& session, const std::string& id, const std::string& answer);

/// The stage's program with the learner's code: previous stage, yours, reference, in turns, at equal output.
int bench(const Session& session, const std::string& id, int rounds);

/// JUnit, Gradescope, progress as JSON and as a page, into a folder.
int export_results(const Session& session, const std::string& id, const std::string& folder);
/// A zip for Gradescope that grades one lab offline, with an instructor's hidden tests if `hidden` names their folder.
int export_autograder(const Session& session, const std::string& id, const std::string& file,
                      const std::string& hidden);
/// One line a student of `folder`, which holds a folder with progress.json for each.
int export_class(const Session& session, const std::string& folder, const std::string& file);

/// Makes skeleton/ from solutions/; with `check`, only says whether it is so already.
int make_skeleton(const Session& session, const std::string& id, bool check);
/// Proves a lab's grader with its solution, mutants, alternates and cheats.
int prove(const Session& session, const std::string& id);

}  // namespace stagecraft::labs
