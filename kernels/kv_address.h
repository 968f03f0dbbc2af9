#pragma once
/// @file
/// Where a token's key and value lie. A slot is one token's place in the KV pool of a layer:
///
///     keys, values   (slots, kv_heads, head_dim)   bf16, fp16 or fp32
///
/// Attention is written once, templated on an address: anything with `int64_t slot(int sequence, int64_t position)`.
/// Paging is addressing and nothing else (EXACTNESS R6).
#include <cstdint>

#include "kernels/number_types.h"

namespace stagecraft {

/// One run of slots a sequence: position p of sequence s lies in first_slot[s] + p.
struct ContiguousAddress {
  const int64_t* first_slot;  // (sequences), device memory

  STAGECRAFT_HD int64_t slot(int64_t sequence, int64_t position) const { return first_slot[sequence] + position; }
};

/// One layer's keys and values as attention sees them.
struct KvView {
  void* keys;    // (slots, kv_heads, head_dim) of `type`
  void* values;  // (slots, kv_heads, head_dim) of `type`
  NumberType type;
  ContiguousAddress address;
};

/// The whole content of block `from`, in every layer, is to be copied to block `to`.
struct BlockCopy {
  int32_t from = 0;
  int32_t to = 0;
};

}  // namespace stagecraft
