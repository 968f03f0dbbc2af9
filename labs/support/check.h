#pragma once
/// @file
/// What a lab's tests/*.cpp are written with: one LAB_CHECK for each check id of lab.json. A check makes inputs from its
/// seed, calls the learner's code in its own process, and compares with what it computes itself.
///
///     LAB_CHECK("lab00.t1.c1") {
///       for (const int64_t n : check.sizes({1, 31, 32, 33})) {
///         const std::vector<float> a = check.random_floats(n), b = check.random_floats(n);
///         check.input("n = {}; a and b are random in (-1, 1)", n);
///         check.step("vector_add(a, b, sum, {})", n);
///         const Message answer = check.call(Message("vector_add").set("a", a).set("b", b));
///         check.expect_equal("sum", added(a, b), answer.floats("sum"));
///       }
///     }
///
/// The first expectation that does not hold ends the check. Order of grading inside a task: behaviour, findings, counts.
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "labs/support/learner_process.h"
#include "stages/core/random_stream.h"

namespace stagecraft::labs {

/// An expectation that did not hold.
struct Failed {
  std::string expected, got;
};

/// What a learner's test said of one implementation, in tasks of kind "test".
struct Verdict {
  std::string name;       // what is wrong with it, for people: "counts the prompt twice"
  bool right = false;     // whether the test should accept it
  bool accepted = false;  // whether it did
};

/// What a check is run with; the command line of labs/support/check_main.cpp.
struct CheckSettings {
  std::string runner;  // path of the learner's program
  Limits limits;
  uint64_t seed = 1;
  std::vector<int64_t> more_sizes;  // of an instructor's hidden tests
  bool profile = false;             // keep the simulator's profile of the last call
};

class Check {
 public:
  Check(std::string id, CheckSettings settings);

  const std::string& id() const { return id_; }
  uint64_t seed() const { return settings_.seed; }
  RandomStream& random() { return random_; }
  /// Different values in (-low, high) of about equal probability.
  std::vector<float> random_floats(int64_t count, float low = -1.0f, float high = 1.0f);
  /// The given sizes, then those of hidden tests.
  std::vector<int64_t> sizes(std::initializer_list<int64_t> usual) const;

  /// Tells what is tried now, for the report; forgets the steps before.
  template <class... Arguments>
  void input(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    input_ = fmt::format(format, std::forward<Arguments>(arguments)...);
    steps_.clear();
  }
  template <class... Arguments>
  void step(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    steps_.push_back(fmt::format(format, std::forward<Arguments>(arguments)...));
  }

  /// Runs the runner's LAB_CALL of that name. The process lives until the check ends. Throws Ended.
  Message call(Message request);
  /// The next call meets a new process.
  void restart() { learner_.reset(); }

  void expect(bool holds, const std::string& expected, const std::string& got) const {
    if (!holds) throw Failed{expected, got};
  }
  /// Bit for bit.
  void expect_equal(std::string_view what, const std::vector<float>& expected, const std::vector<float>& got) const;
  void expect_equal(std::string_view what, const std::vector<int64_t>& expected, const std::vector<int64_t>& got) const;
  void expect_equal(std::string_view what, int64_t expected, int64_t got) const;
  /// |expected - got| <= tolerance * (scale of what is expected): tolerance is relative to the largest expected value.
  void expect_close(std::string_view what, const std::vector<double>& expected, const std::vector<float>& got,
                    double tolerance) const;
  /// The share got / most goes into the leaderboard, if the check counts.
  void expect_at_most(std::string_view what, int64_t most, int64_t got);
  void expect_at_least(std::string_view what, int64_t least, int64_t got) const;
  /// The learner's test accepts every right implementation and rejects ("kills") every faulty one; else says which live.
  void expect_kills(const std::vector<Verdict>& verdicts) const;
  /// The simulator found nothing wrong in the last call.
  void expect_no_findings(const Message& answer) const;

  const std::string& input_text() const { return input_; }
  const std::vector<std::string>& steps() const { return steps_; }
  const std::string& profile() const { return profile_; }
  /// What the simulator found in the last call; empty if nothing.
  const std::string& finding() const { return finding_; }
  std::string printed() const { return learner_ ? learner_->printed() : ""; }
  /// Counted work as a share of what is allowed, the mean of all expect_at_most; nothing if there was none.
  std::optional<double> share_used() const;

 private:
  std::string id_;
  CheckSettings settings_;
  RandomStream random_;
  std::unique_ptr<LearnerProcess> learner_;
  std::string input_, profile_, finding_;
  std::vector<std::string> steps_;
  std::vector<double> shares_used_;
};

/// Makes a check known under its id before main begins.
struct RegisterCheck {
  RegisterCheck(const char* id, void (*body)(Check&));
};

/// Makes known how the answer to a question is measured; the value is in the question's unit.
struct RegisterQuestion {
  RegisterQuestion(const char* id, double (*measure)(Check&));
};

/// All that are registered, by id.
std::vector<std::pair<std::string, std::function<void(Check&)>>>& registered_checks();
std::vector<std::pair<std::string, std::function<double(Check&)>>>& registered_questions();

}  // namespace stagecraft::labs

#define LAB_JOIN_(a, b) a##b
#define LAB_JOIN(a, b) LAB_JOIN_(a, b)

#define LAB_CHECK(id)                                                                                               \
  static void LAB_JOIN(lab_check_, __LINE__)(::stagecraft::labs::Check & check);                                    \
  static const ::stagecraft::labs::RegisterCheck LAB_JOIN(lab_register_, __LINE__)(id,                              \
                                                                                   LAB_JOIN(lab_check_, __LINE__)); \
  static void LAB_JOIN(lab_check_, __LINE__)([[maybe_unused]] ::stagecraft::labs::Check & check)

#define LAB_QUESTION(id)                                                               \
  static double LAB_JOIN(lab_question_, __LINE__)(::stagecraft::labs::Check & check);  \
  static const ::stagecraft::labs::RegisterQuestion LAB_JOIN(lab_register_, __LINE__)( \
      id, LAB_JOIN(lab_question_, __LINE__));                                          \
  static double LAB_JOIN(lab_question_, __LINE__)([[maybe_unused]] ::stagecraft::labs::Check & check)
