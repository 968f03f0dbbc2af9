/// @file
/// Lab 4, task 4: the learner's test is tested with right and faulty schedulers.
#include "labs/lab04_continuous_batching/tests/describe.h"
#include "labs/lab04_continuous_batching/tests/schedules.h"
#include "labs/support/check.h"

namespace {

using namespace lab04;
using stagecraft::labs::Check;

lab04::Verdict judge(Check& check, const Trace& trace) {
  Message call("judge");
  const Message answer = check.call(set_trace(call, trace));
  return {answer.integer("step"), Violation(answer.integer("what"))};
}

/// What the learner's test says of `rounds` schedules of a scheduler: a faulty one must be found out by each of them.
stagecraft::labs::Verdict tried(Check& check, const HabitInfo& info, int rounds) {
  const bool right = info.shows == Violation::none;
  int accepted = 0;
  for (int round = 0; round < rounds; ++round) {
    const lab04::Verdict verdict = judge(check, schedule(check.random(), info.habit));
    accepted += verdict.what == Violation::none;
  }
  return {info.name, right, right ? accepted == rounds : accepted > 0};
}

constexpr int kRounds = 8;

}  // namespace

LAB_CHECK("lab04.t4.c1") {
  check.input("{} random schedules of each of the right schedulers, and of one that is not", kRounds);
  check.step("judge(trace) for each");
  std::vector<stagecraft::labs::Verdict> verdicts;
  for (const HabitInfo& info : habits()) {
    if (info.shows == Violation::none || info.habit == Habit::one_too_many) {
      verdicts.push_back(tried(check, info, kRounds));
    }
  }
  check.expect_kills(verdicts);
}

LAB_CHECK("lab04.t4.c2") {
  check.input("{} random schedules of each of {} schedulers", kRounds, habits().size());
  check.step("judge(trace) for each; a scheduler survives if one of its schedules is accepted");
  std::vector<stagecraft::labs::Verdict> verdicts;
  for (const HabitInfo& info : habits()) verdicts.push_back(tried(check, info, kRounds));
  check.expect_kills(verdicts);
}

LAB_CHECK("lab04.t4.c3") {
  for (const HabitInfo& info : habits()) {
    for (int round = 0; round < kRounds; ++round) {
      const Trace trace = schedule(check.random(), info.habit);
      const lab04::Verdict expected = model_verdict(trace), got = judge(check, trace);
      check.input("a scheduler that {}; {}", info.name, described(trace));
      check.step("judge(trace)");
      check.expect_equal("step", expected.step, got.step);
      check.expect_equal("what (number of Violation)", int64_t(expected.what), int64_t(got.what));
    }
  }
}
