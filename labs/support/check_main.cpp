/// @file
/// The program that a lab's checks are linked into: runs one check and writes its result to a descriptor that the
/// learner's process never has.
///
///     labNN_checks --list                                     the ids of all checks and questions
///     labNN_checks --run ID --runner PROGRAM --result-to FD [--seed N] [--seconds S] [--memory-mb M] [--sizes 1,2]
///                  [--readable PATH] [--profile]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include <fcntl.h>
#include <sys/prctl.h>

#include "labs/support/check.h"

namespace stagecraft::labs {
namespace {

struct Arguments {
  std::string run;
  int result_to = -1;
  bool list = false;
  CheckSettings settings;
};

std::vector<int64_t> numbers(const std::string& text) {
  std::vector<int64_t> result;
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) result.push_back(std::stoll(item));
  return result;
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const auto value = [&] {
      if (i + 1 >= argc) throw std::invalid_argument(name + " needs a value");
      return std::string(argv[++i]);
    };
    if (name == "--list")
      arguments.list = true;
    else if (name == "--run")
      arguments.run = value();
    else if (name == "--result-to")
      arguments.result_to = std::stoi(value());
    else if (name == "--runner")
      arguments.settings.runner = value();
    else if (name == "--seed")
      arguments.settings.seed = std::stoull(value());
    else if (name == "--seconds")
      arguments.settings.limits.seconds = std::stod(value());
    else if (name == "--memory-mb")
      arguments.settings.limits.memory_mb = std::stoi(value());
    else if (name == "--sizes")
      arguments.settings.more_sizes = numbers(value());
    else if (name == "--readable")
      arguments.settings.limits.readable.push_back(value());
    else if (name == "--profile")
      arguments.settings.profile = true;
    else
      throw std::invalid_argument("unknown option " + name);
  }
  return arguments;
}

template <class Registered>
auto find(const Registered& all, const std::string& id) {
  return std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.first == id; });
}

const char* outcome_of(Ended::Kind kind) {
  switch (kind) {
    case Ended::Kind::todo:
      return "todo";
    case Ended::Kind::timeout:
      return "timeout";
    case Ended::Kind::crash:
    case Ended::Kind::exception:
    case Ended::Kind::broken_answer:
      return "crash";
  }
  return "error";
}

void run(Check& check, Message& result) {
  if (const auto found = find(registered_checks(), check.id()); found != registered_checks().end()) {
    found->second(check);
  } else if (const auto question = find(registered_questions(), check.id()); question != registered_questions().end()) {
    result.set("measured", fmt::format("{:.9g}", question->second(check)));
  } else {
    throw std::runtime_error("no check is registered for " + check.id());
  }
}

/// Runs it and says how it went.
Message judge(const Arguments& arguments) {
  Check check(arguments.run, arguments.settings);
  Message result("result");
  try {
    run(check, result);
    result.set("outcome", std::string("pass"));
  } catch (const Failed& failed) {
    result.set("outcome", std::string("fail")).set("expected", failed.expected).set("got", failed.got);
    const bool told = check.finding().empty() || failed.got.find(check.finding()) != std::string::npos;
    if (!told) result.set("finding", check.finding());  // often the cause
  } catch (const Ended& ended) {
    result.set("outcome", std::string(outcome_of(ended.kind))).set("expected", std::string("an answer"));
    result.set("got", ended.kind == Ended::Kind::todo ? ended.text + " is not written yet" : ended.text);
  } catch (const std::exception& error) {
    result.set("outcome", std::string("error")).set("expected", std::string("")).set("got", std::string(error.what()));
  }
  if (const std::optional<double> share = check.share_used()) result.set("share used", fmt::format("{:.6g}", *share));
  std::string steps;
  for (const std::string& step : check.steps()) steps += step + "\n";
  return result.set("input", check.input_text())
      .set("steps", steps)
      .set("printed", check.printed())
      .set("profile", check.profile());
}

void list() {
  for (const auto& [id, body] : registered_checks()) std::puts(id.c_str());
  for (const auto& [id, measure] : registered_questions()) std::puts(id.c_str());
}

}  // namespace
}  // namespace stagecraft::labs

int main(int argc, char** argv) {
  using namespace stagecraft::labs;
  try {
    const Arguments arguments = parse(argc, argv);
    if (arguments.list) {
      list();
      return 0;
    }
    // Nobody looks into the process that knows the right answers, and the learner's does not inherit its result.
    (void)::prctl(PR_SET_DUMPABLE, 0);
    if (::fcntl(arguments.result_to, F_SETFD, FD_CLOEXEC) != 0) throw std::invalid_argument("--result-to: not open");
    return send(arguments.result_to, judge(arguments)) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 2;
  }
}
