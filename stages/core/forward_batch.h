#pragma once
/// @file
/// What one forward pass computes: the tokens of several requests, one after the other, ragged. The model's only input,
/// from stage 1 (one request) to stage 6 (hundreds, some with drafted tokens).
///
///     query_start    0        3   4                9        sequence 0 has rows 0..2, sequence 1 row 3, ...
///     tokens        [a b c]  [d] [e f g h i]
///     positions      0 1 2    17  5 6 7 8 9
#include <cstdint>
#include <vector>

#include "kernels/kernels.h"

namespace stagecraft {

struct ForwardBatch {
  std::vector<TokenId> tokens;       // (rows)
  std::vector<int32_t> positions;    // (rows) absolute, from 0
  std::vector<int32_t> query_start;  // (sequences + 1)
  std::vector<int64_t> slots;        // (rows) where each row's key and value are stored
  std::vector<int32_t> logit_rows;   // (logits wanted) rows whose logits are computed, increasing

  // Where a sequence's keys and values lie: one of the two.
  std::vector<int64_t> first_slot;   // (sequences) see ContiguousAddress; empty if paged
  std::vector<int32_t> block_table;  // (sequences, table_stride) see PagedAddress; kNoBlock past the last block
  int32_t table_stride = 0;
  int32_t block_size = 0;  // 0: not paged

  bool is_paged() const { return block_size != 0; }
  int rows() const { return int(tokens.size()); }
  int sequences() const { return int(query_start.size()) - 1; }
};

}  // namespace stagecraft
