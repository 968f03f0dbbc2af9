#pragma once
/// @file
/// What continuous batching gains over static batching on a real service's requests, by three clocks:
///
/// | clock           | what a step takes                             | what it shows                                     |
/// |-----------------|-----------------------------------------------|---------------------------------------------------|
/// | constant step   | one unit, whatever is in it; no model         | the schedules alone: the reference                |
/// | virtual         | the same, in the engines                      | that the engines take the steps of the simulation |
/// | roofline        | what bandwidth and arithmetic allow           | what a machine makes of it at its limits          |
/// | wall            | as measured                                   | what is left of the gain here                     |
///
/// A constant step charges nothing for the length of a prompt, and a half-empty batch as much as a full one. A machine
/// agrees with the second as long as steps wait for memory, so there are few places. With the first it does not: the gain
/// is shown for prompts of one token, where only decoding counts, and for prompts in proportion, where both stages spend
/// the same time on reading them, and the gain is smaller.
#include <optional>
#include <string>
#include <vector>

#include "stages/compare/runs.h"
#include "stages/core/roofline.h"
#include "stages/core/workload.h"

namespace stagecraft {

/// Requests of the slice, and what their lengths are divided by.
inline constexpr int64_t kSliceRequests = 64;
inline constexpr int64_t kSliceDivisor = 8;
/// Requests that are served at a time, unless a comparison's batch is smaller.
inline constexpr int kSlicePlaces = 4;

/// Both stages by one clock.
struct SliceRow {
  std::string clock;
  double static_ms = 0, continuous_ms = 0;
  std::optional<double> spread_percent;  // of the ratio over the rounds; absent where it is exact

  double ratio() const { return static_ms / continuous_ms; }
};

struct TraceSlice {
  std::string name;
  std::vector<SliceRow> rows;  // the reference first

  /// The share of the reference's ratio that `row` reaches.
  double share(const SliceRow& row) const { return row.ratio() / rows.front().ratio(); }
};

/// The first requests of the conversation trace, all at the start, lengths divided: with prompts of one token, then with
/// those of the trace. Throws BadInput if the trace is not there.
std::vector<Workload> conversation_slices();

/// Runs both stages over the jobs of `session`, which are those of `workload`. Throws Failure if their tokens differ.
TraceSlice compare_on_slice(const Workload& workload, int batch, int repeat, const std::optional<Roofline>& roofline,
                            const Options& options, const Session& session, const InterruptWatch& interrupt);

}  // namespace stagecraft
