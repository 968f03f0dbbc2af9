/// @file
/// lab: the labs' one command. labs/lab builds it and hands over to it.
#include <cstdio>
#include <cstdlib>

#include <CLI/CLI.hpp>

#include "kernels/check.h"
#include "labs/program/commands.h"

namespace stagecraft::labs {
namespace {

constexpr const char* kExamples = R"(examples:
  labs/lab start 0              begin with the warm-up
  labs/lab test                 check the lab you are in
  labs/lab test lab00.t1.c2     one check
  labs/lab hint lab00.t1        the next of three hints
  labs/lab                      where do I stand, and what next?
exit: 0 all that can be graded passes, 1 something does not, 2 bad usage)";

/// Declares a command; `run` is called when it was given.
class Commands {
 public:
  explicit Commands(CLI::App& app) : app_(app) {}

  CLI::App* add(const char* name, const char* help, std::function<int()> run) {
    CLI::App* command = app_.add_subcommand(name, help);
    command->callback([this, run = std::move(run)] { run_ = run; });
    return command;
  }
  int run() const { return run_(); }
  bool given() const { return bool(run_); }

 private:
  CLI::App& app_;
  std::function<int()> run_;
};

/// All that any command may be given.
struct Values {
  TestOptions test;
  std::string id, text, file, csv, autograder;
  int level = 0, rounds = 3;
  bool give_up = false, check = false, no_build = false;
};

void declare_learning(Commands& commands, Values& v, const Session& session) {
  commands.add("start", "copy a lab to work/", [&] { return start(session, v.id); })
      ->add_option("lab", v.id, "0 or lab00")
      ->required();
  CLI::App* testing =
      commands.add("test", "run checks: a lab's, a task's, or one", [&] { return test(session, v.test); });
  testing->add_option("what", v.test.what, "lab00, lab00.t1 or lab00.t1.c2; else the lab you are in");
  testing->add_option("--seed", v.test.seed, "of the inputs");
  testing->add_flag("--all", v.test.all, "show every failure in full");
  testing->add_flag("--time", v.test.time, "tell how long building and checking took");
  CLI::App* asking =
      commands.add("hint", "the next of a task's three hints", [&] { return hint(session, v.id, v.level); });
  asking->add_option("task", v.id, "lab00.t1")->required();
  asking->add_option("--level", v.level, "1, 2 or 3")->check(CLI::Range(1, 3));
  CLI::App* guessing =
      commands.add("predict", "answer questions before you measure", [&] { return predict(session, v.id, v.text); });
  guessing->add_option("what", v.id, "a lab, or a question such as lab00.q1");
  guessing->add_option("answer", v.text, "a number");
  commands.add("watch", "test again whenever you save", [&] { return watch(session, v.id); })
      ->add_option("what", v.id, "a lab or a task");
  commands.add("profile", "what the simulator counts in a kernel's check", [&] { return profile(session, v.id); })
      ->add_option("what", v.id, "a task or a check")
      ->required();
  CLI::App* comparing = commands.add("bench", "the stage with your code: previous, yours, reference",
                                     [&] { return bench(session, v.id, v.rounds); });
  comparing->add_option("lab", v.id, "a lab");
  comparing->add_option("--rounds", v.rounds, "runs of each, in turns")->check(CLI::Range(1, 100));
  CLI::App* showing = commands.add("solution", "a task's solution, once yours passes",
                                   [&] { return solution(session, v.id, v.give_up); });
  showing->add_option("task", v.id, "lab00.t1")->required();
  showing->add_flag("--give-up", v.give_up, "even if it does not pass");
  CLI::App* again = commands.add("reset", "bring back the skeleton; yours is kept aside",
                                 [&] { return reset(session, v.id, v.file); });
  again->add_option("lab", v.id, "a lab")->required();
  again->add_option("file", v.file, "only this file");
  commands.add("status", "where you stand", [&] { return status(session); });
  commands.add("doctor", "is everything there that the labs need?", [&] { return doctor(session); });
}

void declare_teaching(Commands& commands, Values& v, const Session& session) {
  CLI::App* grading =
      commands.add("grade", "all checks and questions, with a new seed", [&] { return grade(session, v.test); });
  grading->add_option("lab", v.test.what, "a lab; else the one you are in");
  grading->add_option("--seed", v.test.seed, "of the inputs; else a new one");
  grading->add_option("--hidden", v.test.hidden, "a folder with more seeds, sizes and checks");
  grading->add_option("--export", v.test.export_to, "a folder for JUnit, Gradescope, progress");
  grading->add_flag("--all", v.test.all, "show every failure in full");
  grading->add_flag("--time", v.test.time, "tell how long building and checking took");
  CLI::App* exporting = commands.add("export", "JUnit, Gradescope, progress; an autograder; a class", [&] {
    if (!v.csv.empty()) return export_class(session, v.file, v.csv);
    return v.autograder.empty() ? export_results(session, v.id, v.file)
                                : export_autograder(session, v.id, v.autograder, v.test.hidden);
  });
  exporting->add_option("folder", v.file, "where to; with --csv: where the students' folders are");
  exporting->add_option("--lab", v.id, "a lab; else the one you are in");
  exporting->add_option("--autograder", v.autograder, "write a zip for Gradescope");
  exporting->add_option("--hidden", v.test.hidden, "hidden tests to put into that zip");
  exporting->add_option("--csv", v.csv, "write a table of a class");
  CLI::App* making =
      commands.add("skeleton", "make skeleton/ from solutions/", [&] { return make_skeleton(session, v.id, v.check); });
  making->add_option("lab", v.id, "a lab")->required();
  making->add_flag("--check", v.check, "only say whether it is so");
  commands
      .add("prove", "prove the grader: solution, mutants, alternates, cheats", [&] { return prove(session, v.id); })
      ->add_option("lab", v.id, "a lab")
      ->required();
}

int run(int argc, char** argv) {
  CLI::App app("Labs: learn how LLM inference works by writing it", "labs/lab");
  app.footer(kExamples);
  app.require_subcommand(0, 1);
  Session session{find_places(), {}, Console(), std::getenv("LAB_NO_BUILD") == nullptr};
  session.labs = read_labs(session.places);
  Values values;
  values.test.seed = 0;
  Commands commands(app);
  declare_learning(commands, values, session);
  declare_teaching(commands, values, session);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    constexpr int kBadUsage = 2;
    return app.exit(error) == 0 ? 0 : kBadUsage;
  }
  return commands.given() ? commands.run() : status(session);
}

}  // namespace
}  // namespace stagecraft::labs

int main(int argc, char** argv) {
  try {
    return stagecraft::labs::run(argc, argv);
  } catch (const stagecraft::Error& error) {
    std::fflush(stdout);
    std::fprintf(stderr, "lab: %s\n", error.what());
    if (!error.hint().empty()) std::fprintf(stderr, "hint: %s\n", error.hint().c_str());
    return dynamic_cast<const stagecraft::BadInput*>(&error) ? 2 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lab: %s\n", error.what());
    return 1;
  }
}
