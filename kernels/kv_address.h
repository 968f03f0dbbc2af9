#pragma once
/// @file
/// Where a token's key and value lie. A slot is one token's place in the KV pool of a layer:
///
///     keys, values   (slots, kv_heads, head_dim)   bf16, fp16 or fp32
///
/// | address           | position p of sequence s lies in slot                           | stages |
/// |-------------------|-----------------------------------------------------------------|--------|
/// | ContiguousAddress | first_slot[s] + p                                               | 1 - 4  |
/// | PagedAddress      | block_table[s][p / block_size] * block_size + p % block_size    | 5, 6   |
///
/// Attention is written once, templated on the address: anything with `slot` and `slots_in_a_row`. Paging is addressing
/// and nothing else (EXACTNESS R6), so the order of additions cannot depend on it. Block tables for attention: Kwon et
/// al. 2023, arXiv 2309.06180.
#include <cstdint>
#include <variant>

#include "kernels/number_types.h"

namespace stagecraft {

/// One run of slots a sequence.
struct ContiguousAddress {
  const int64_t* first_slot;  // (sequences), device memory

  STAGECRAFT_HD int64_t slot(int64_t sequence, int64_t position) const { return first_slot[sequence] + position; }

  /// How many positions, `position` the first of them, certainly have neighbouring slots.
  STAGECRAFT_HD int64_t slots_in_a_row(int64_t /*position*/) const { return INT64_MAX; }
};

/// Blocks of slots, anywhere in the pool and in any order. A block size is a power of two, so that it takes a shift and a
/// mask to find a slot, and no division.
struct PagedAddress {
  const int32_t* block_table;  // (sequences, table_stride), device memory; kNoBlock, never read, after the last block
  int32_t table_stride;
  int32_t block_shift;  // log2 of the block size

  STAGECRAFT_HD int64_t block_size() const { return int64_t{1} << block_shift; }

  STAGECRAFT_HD int64_t slot(int64_t sequence, int64_t position) const {
    const int64_t block = block_table[sequence * table_stride + (position >> block_shift)];
    return (block << block_shift) + (position & (block_size() - 1));
  }

  /// Up to the end of the block.
  STAGECRAFT_HD int64_t slots_in_a_row(int64_t position) const {
    return block_size() - (position & (block_size() - 1));
  }
};

/// What a block table holds where a sequence has no block: an id that no pool reaches.
inline constexpr int32_t kNoBlock = INT32_MAX;

/// True for 1, 2, 4, ...: what PagedAddress can shift by.
constexpr bool is_block_size(int64_t size) { return size > 0 && (size & (size - 1)) == 0; }

/// log2 of a block size.
constexpr int32_t block_shift_of(int64_t block_size) {
  int32_t shift = 0;
  while ((int64_t{1} << shift) < block_size) ++shift;
  return shift;
}

using KvAddress = std::variant<ContiguousAddress, PagedAddress>;

/// One layer's keys and values as operations get them.
struct KvView {
  void* keys;    // (slots, kv_heads, head_dim) of `type`
  void* values;  // (slots, kv_heads, head_dim) of `type`
  NumberType type;
  KvAddress address;  // of no matter where slots are given: kv_write
};

/// The same, with type and address fixed when it is compiled: what the inner loops of attention read.
template <class T, class Address>
struct StoredKv {
  using Element = T;

  const T* keys;    // (slots, kv_heads, head_dim)
  const T* values;  // (slots, kv_heads, head_dim)
  Address address;
};

/// Calls `use(StoredKv<T, Address>)` with the T and the Address that `kv` names.
template <class Use>
void with_stored_kv(const KvView& kv, const Use& use) {
  std::visit(
      [&]<class Address>(const Address& address) {
        with_elements(kv.type, kv.keys, [&]<class T>(const T* keys) {
          use(StoredKv<T, Address>{keys, static_cast<const T*>(kv.values), address});
        });
      },
      kv.address);
}

/// One block's content, keys and values of all layers, goes to another: where two requests shared a block and one of
/// them is about to write.
struct BlockCopy {
  int32_t from, to;
};

}  // namespace stagecraft
