#pragma once
/// @file
/// What happened, and when: one record a request and one a forward pass. Every number that a stage prints, draws or
/// writes (latency table, JSON report, trace, HTML page) is computed from these after the run; nothing is counted
/// twice.
///
///     arrival        scheduled   first chunk     chunk     last chunk
///        |--- queue ---|-------------|-------------|-----------|
///        |----------- TTFT ----------|---- ITL ----|--- ITL ---|
///        |--------------------------- E2E ---------------------|
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stages/core/block_map.h"
#include "stages/core/request.h"

namespace stagecraft {

/// Never goes backwards, unlike the time of day.
using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;

/// From `from` to `to`, in milliseconds.
inline double milliseconds(TimePoint from, TimePoint to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

/// Output that reached the client at one moment. Usually one token; more where a step makes several, or where text was
/// held back because it could still have become a stop text or a longer character.
struct Chunk {
  TimePoint at;
  int64_t tokens = 0;
};

/// The life of one request.
struct RequestRecord {
  int id = 0;
  int64_t prompt_tokens = 0;
  std::vector<TokenId> output_ids;  // all that were drawn, the end-of-text token included
  std::string text;                 // what the client read
  FinishReason finish_reason = FinishReason::cancelled;
  std::optional<std::string> refusal;  // why it could never run

  TimePoint arrival;
  std::optional<TimePoint> scheduled;  // start of its first forward pass; empty if there was none
  std::vector<Chunk> chunks;

  std::optional<int64_t> preemptions;        // stages that cannot preempt have none
  std::optional<int64_t> prefix_hit_tokens;  // likewise
};

/// One request's share of a forward pass.
struct StepPart {
  int request = 0;
  int64_t rows = 0;        // its tokens in the pass
  int64_t recomputed = 0;  // those of them that an earlier pass had computed already
  int64_t kv_length = 0;   // its keys once the pass has stored them
  int64_t found = 0;       // tokens before its rows that no pass of its own has computed: they were stored already
  int64_t drafted = 0;     // its last rows, which are guesses
  int64_t accepted = 0;    // tokens that it got beyond the one that every pass gives: guesses that were right
};

/// One turn of the loop plan -> forward -> sample -> commit.
struct StepRecord {
  TimePoint start, forwarded, finished;  // before the forward pass, after it, after the tokens were handed out
  std::vector<StepPart> parts;
  int64_t kv_used_bytes = 0;                      // keys and values of all unfinished requests, in this pass or not
  int64_t kv_held_bytes = 0;                      // what is taken from everybody else for them
  std::optional<double> draft_ms = std::nullopt;  // what drafting took before the step, in stages that draft
  std::optional<int64_t> padded_slots = std::nullopt;  // places of a batch that are held for nothing
};

/// Everything a run leaves behind.
struct RunLog {
  TimePoint start, end;
  std::vector<RequestRecord> requests;
  std::vector<StepRecord> steps;
  std::optional<BlockMap> block_map;  // of stages that page
};

}  // namespace stagecraft
