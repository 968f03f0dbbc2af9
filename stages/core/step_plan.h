#pragma once
/// @file
/// What one step computes: for each request that takes part, how many of its pending tokens, and which of these rows
/// need logits. A plan says nothing about memory or tensors; the engine turns it into a ForwardBatch.
///
///     request   tokens known          item: first, tokens      logit rows
///     A         [0 ............ 41]         41      1           1    catching up by one: what others call decoding
///     B         [0 .. 63 | 64 . 99]          0     64           0    a chunk of a prompt: nothing to sample yet
///     C         [0 .. 63 | 64 . 99]         64     36           1    its last chunk: its last row is sampled
///     D         [0 ........ 20] ? ?         20      3           3    a token and a draft of two: each may be right
#include <cstdint>
#include <vector>

#include "stages/core/request.h"

namespace stagecraft {

/// One request's share of a step: rows [first, first + tokens) of its token sequence, followed by its draft.
struct StepItem {
  Request* request = nullptr;
  int64_t first = 0;       // Request::num_computed when the step was planned
  int64_t tokens = 0;      // at least 1; those of the draft are the last of them
  int64_t logit_rows = 0;  // of the last rows: 1 + drafted if the step reaches the end of what is known, else 0
  int64_t drafted = 0;     // how many of the tokens are guesses
};

/// The items of a step in the order of their rows; no request occurs twice.
struct StepPlan {
  std::vector<StepItem> items;

  bool empty() const { return items.empty(); }

  /// Rows of the forward pass; what the token budget limits.
  int64_t tokens() const {
    int64_t sum = 0;
    for (const StepItem& item : items) sum += item.tokens;
    return sum;
  }
};

}  // namespace stagecraft
