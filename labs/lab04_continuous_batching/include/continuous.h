#pragma once
/// @file
/// The contract of lab 4. Tasks 1 to 4 are plain C++ without a model: requests are numbers here. Lengths, limits and budgets
/// are at least 1. Same calls, same plans: no randomness, no clock but the one that task 3 moves by hand.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace lab04 {

/// A request as the scheduler sees it. `known - computed` tokens are pending: one for a request that writes, more for one
/// whose prompt is not computed yet. There is no other difference between the two.
struct Request {
  int64_t id = 0;
  int64_t prompt = 0;       // tokens of its prompt
  int64_t known = 0;        // tokens that are known: the prompt, then what was generated
  int64_t computed = 0;     // of these, from the first on: their keys and values are stored
  int64_t last_served = 0;  // the number of its latest share; 0: none yet
  int64_t overtaken = 0;    // how many that came later were let in while it waited

  int64_t pending() const { return known - computed; }
};

/// Everybody who has arrived and not ended.
struct Batch {
  std::vector<Request> waiting;  // in the order of arrival
  std::vector<Request> running;  // in the order they were let in
  int64_t shares_given = 0;      // over all steps so far
};

/// What one request computes in a step: its tokens [first, first + tokens). 0 tokens: nothing.
struct Share {
  int64_t id = 0;
  int64_t first = 0, tokens = 0;
  bool logits = false;  // whether the last of these tokens is the last that is known: then the next one is drawn
};

/// A step: its shares, in the order in which they were given. No request occurs twice.
using Plan = std::vector<Share>;

/// Policy, apart from the mechanism of plan_step.
struct Rules {
  /// What `request` takes if `left` tokens of the budget are left (0 too): at most `left`, and maybe nothing.
  std::function<Share(const Request& request, int64_t left)> share;
  /// Which of those that wait is the next to be let in: an index. `waiting` is not empty.
  std::function<size_t(std::span<const Request> waiting)> next;
};

/// Two simple rules to begin with (Orca's): a prompt in one piece or not at all, and who comes first is served first.
inline Share whole_prompt(const Request& request, int64_t left) {
  if (request.pending() > left) return {};
  return {request.id, request.computed, request.pending(), true};
}
inline size_t first_come(std::span<const Request>) { return 0; }

/// lab04.t1: one step. Asks `rules.share` for one request after the other, with what is left of the budget:
///
///   1. running requests with one pending token: who was not served for longest (smallest last_served) first;
///   2. the other running requests, in the order they were let in;
///   3. waiting requests, each time the one that rules.next says, while fewer than max_running run.
///
/// A running request that takes nothing is passed over, but then nobody is let in in this step. A waiting one that takes
/// nothing ends the step: those behind it wait too. Whoever is let in moves from `waiting` to the end of `running`. The
/// budget may be used up long before everybody has been asked.
///
/// - lab04.t1.c1: running requests come before waiting ones, and a step never computes more than `budget` tokens.
/// - lab04.t1.c2: single rows take turns, then the larger shares; with fewer tokens than running requests too.
/// - lab04.t1.c3: waiting ones are let in while there is a place, and nobody passes one who does not fit. While a running
///   request gets nothing, nobody is let in.
/// - lab04.t1.c4: the batch afterwards: who runs and who waits; each share counts shares_given up by one, and that is then
///   the request's last_served; all that came before a newcomer and still wait are overtaken once more.
Plan plan_step(Batch& batch, int64_t budget, int64_t max_running, const Rules& rules);

/// lab04.t2: the share rule of chunked prefill: as much as is pending, but at most `max_chunk` tokens and at most `left`.
///
/// - lab04.t2.c1: first is `computed`, tokens the least of the three. left may be 0: then tokens is 0.
/// - lab04.t2.c2: logits only if the share reaches the last known token: never in the middle of a prompt.
Share chunk_of(const Request& request, int64_t left, int64_t max_chunk);

/// lab04.t2: the step has been computed. Each request with a share has that many more tokens computed, and if it had logits,
/// one more token is known. The requests of `plan` are among `batch.running`, in any order.
///
/// - lab04.t2.c3: the batch afterwards; who had no share stays as it was.
/// - lab04.t2.c4: with plan_step, in a whole run: every token is computed once, and a step is full while anybody has pending
///   tokens: as few steps as the stage's Scheduler needs, and its very plans.
void commit(Batch& batch, const Plan& plan);

/// lab04.t3: the next of `waiting` (in the order of arrival, not empty): the first that has been overtaken `max_overtakes`
/// times or more; if there is none, the one with the shortest prompt; of equal ones the first. 0 overtakes is first come,
/// first served.
///
/// - lab04.t3.c1: that index.
size_t next_waiting(std::span<const Request> waiting, int64_t max_overtakes);

/// What is asked for, and when.
struct Arrival {
  int64_t at_ns = 0;
  int64_t prompt = 1, output = 1;  // tokens
};

struct Limits {
  int64_t budget = 1;         // tokens of a step
  int64_t max_running = 1;    // requests that run at a time
  int64_t max_chunk = 1;      // tokens of one request in a step
  int64_t max_overtakes = 0;  // see next_waiting
};

/// How long a step takes: the roofline. All weights are read once a step, whatever is in it; arithmetic grows with its tokens.
struct Cost {
  int64_t overhead_ns = 0, weights_ns = 0, token_ns = 0;

  int64_t step_ns(int64_t tokens) const { return overhead_ns + std::max(weights_ns, tokens * token_ns); }
};

/// lab04.t3: the loop of continuous batching on a virtual clock that begins at 0. `arrivals` is in the order of time; the id
/// of a request is its place there. Before each step, whoever has arrived by now (at_ns <= now) joins the queue. The plan
/// is that of plan_step with chunk_of and next_waiting; the step takes cost.step_ns(its tokens), and the tokens that it draws
/// reach their clients at its end. A request with all of its output leaves before the next step. If there is nothing to do,
/// the clock jumps to the next arrival.
///
/// Returns, for each request, when each of its output tokens reached the client, in nanoseconds. The first one minus the
/// arrival is the TTFT, the differences are the inter-token latencies (ITL).
///
/// - lab04.t3.c2: the TTFT of every request, also where the engine is idle between two, and where several come at once.
/// - lab04.t3.c3: every ITL, for any budget, chunk and number of places.
/// - lab04.t3.c4: a long prompt among short ones waits for max_overtakes of them, not for all; and its TTFT is exact.
std::vector<std::vector<int64_t>> serve(std::span<const Arrival> arrivals, const Limits& limits, const Cost& cost);

/// What can be wrong with a step of a schedule. `out_of_turn` is that of first come, first served.
enum class Violation : int64_t {
  none = 0,
  over_budget = 1,   // more tokens than the budget
  twice = 2,         // a request has two shares in a step
  absent = 3,        // a share of somebody who has not arrived, or has had all of its output
  wrong_tokens = 4,  // a share that is empty, does not begin at the first pending token, or goes beyond the last known
  wrong_logits = 5,  // logits where tokens are left after the share, or none where it reaches the last known token
  crowded = 6,  // more requests run than may: those that have had a share, in this step too, and had not ended before
  out_of_turn =
      7,  // somebody is let in (first share), and one that arrived earlier has still had none, nor in this step
  passed_over = 8,  // somebody is let in while a running request has no share in the step
  idle = 9,  // budget is left, and somebody could use it: a running request has pending tokens beyond its share, or
             // none at all; or one that has arrived had no share yet, and there is a place
  lost = 10  // the trace has ended, and somebody has not had all of its output; the step is the number of steps
};

struct Job {
  int64_t arrival = 0;             // the first step whose plan it can be in
  int64_t prompt = 1, output = 1;  // tokens
};

/// A whole run. Chunks are limited by the budget only. Between two steps everything that a plan says has happened: the
/// tokens are computed, and each share with logits has brought one more known token.
struct Trace {
  std::vector<Job> jobs;  // by id, in the order of arrival
  int64_t budget = 1, max_running = 1;
  std::vector<Plan> steps;  // the shares of a step may stand in any order; ids are those of jobs
};

struct Verdict {
  int64_t step = -1;  // from 0; -1: all is well
  Violation what = Violation::none;
};

/// lab04.t4: the first step that is wrong and what is wrong with it; of several things the one with the smallest number.
/// Whatever comes after it does not matter. Your test of every scheduler.
///
/// - lab04.t4.c1: right schedules are accepted, also of schedulers that are not like yours (and a wrong one is not).
/// - lab04.t4.c2: the schedules of faulty schedulers are rejected, every one (and a right one is not).
/// - lab04.t4.c3: with the right step, and the right name of what is wrong.
Verdict judge(const Trace& trace);

// Task 5: pointers are device memory. Each function launches kernels with simt::launch and returns; nothing is allocated.

/// lab04.t5: what each row of a mixed pass stands for. The rows of sequence s are query_start[s] ... query_start[s + 1] - 1,
/// and the first of them is token first[s] of that sequence. query_start[0] is 0, query_start[sequences] is `rows`. A sequence may
/// have no row.
///
/// - lab04.t5.c1: sequence[row] and position[row], for any lengths.
/// - lab04.t5.c4: (with gather_rows) a warp makes at most log2(sequences) + 4 loads for its 32 rows; rounded up.
void expand_rows(const int32_t* query_start,  // (sequences + 1)
                 const int32_t* first,        // (sequences)
                 int32_t* sequence,           // (rows)
                 int32_t* position,           // (rows)
                 int rows, int sequences);

/// lab04.t5: out[i] = x[wanted[i]]: the rows that go on to the head, without the others.
///
/// - lab04.t5.c2: the bits of those rows, in that order; a row may be wanted twice.
/// - lab04.t5.c3: the simulator finds nothing in either kernel, and all of sequence, position and out is written.
/// - lab04.t5.c4: x is read and out written in whole sectors: at most 1.5 times what the wanted rows fill.
void gather_rows(const float* x,         // (any, width)
                 const int32_t* wanted,  // (count)
                 float* out,             // (count, width)
                 int count, int width);

}  // namespace lab04
