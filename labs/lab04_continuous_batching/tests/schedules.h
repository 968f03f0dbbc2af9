#pragma once
/// @file
/// Schedules of right and of faulty schedulers, for the task in which the learner writes a test.
#include <string>
#include <vector>

#include "labs/lab04_continuous_batching/include/continuous.h"
#include "stages/core/random_stream.h"

namespace lab04 {

/// How a scheduler goes wrong, if it does. The first three do not: other right schedulers.
enum class Habit {
  usual,
  last_first,  // serves those that run from the last to the first
  shuffled,    // and tells its shares in any order

  one_too_many,      // the budget is one token larger than it says
  two_shares,        // a chunk in two halves
  too_early,         // somebody who has not arrived yet
  too_late,          // somebody who has ended
  skips,             // a chunk begins one token too late
  computes_again,    // a chunk begins one token too early
  beyond_the_end,    // a chunk is one token too long
  empty_share,       // a share without tokens
  logits_too_early,  // logits in the middle of a prompt
  logits_forgotten,  // none at its end
  a_place_too_many,  // one request more runs than may
  shortest_first,    // lets the shortest prompt in
  newcomers_first,   // lets new ones in before it serves those that run
  whole_prompts,     // lets nobody in whose prompt does not fit whole
  lock_step,         // lets nobody in until all have ended
  takes_a_break,     // forgets one that runs for a while
  gives_up           // ends before the last one has
};

/// What is wrong with it, for people; and the violation that its schedule shows.
struct HabitInfo {
  Habit habit;
  const char* name;
  Violation shows;
};

/// All of them, the right ones first.
const std::vector<HabitInfo>& habits();

/// A schedule of random requests by a scheduler with this habit: one that does show what is wrong with it.
Trace schedule(stagecraft::RandomStream& random, Habit habit);

/// The verdict as the contract has it.
Verdict model_verdict(const Trace& trace);

}  // namespace lab04
