#include "stages/core/batch_check.h"

#include <algorithm>

#include "kernels/check.h"

namespace stagecraft {
namespace {

/// The address in host memory, with the bounds that the address itself does not know.
class CheckedAddress {
 public:
  CheckedAddress(const ForwardBatch& batch, int64_t pool_slots) : batch_(batch), pool_slots_(pool_slots) {
    const size_t sequences = size_t(batch.sequences());
    if (!batch.is_paged()) {
      check(batch.first_slot.size() == sequences, "one first slot a sequence");
      check(batch.block_table.empty(), "a batch has first slots or a block table");
      return;
    }
    check(is_block_size(batch.block_size), "a block size is a power of two");
    check(batch.table_stride > 0, "a block table has at least one column");
    check(batch.block_table.size() == sequences * size_t(batch.table_stride), "one row of the block table a sequence");
    check(batch.first_slot.empty(), "a batch has first slots or a block table");
  }

  /// All positions [0, length) of the sequence lie in the pool.
  void check_sequence(int sequence, int64_t length) const {
    if (!batch_.is_paged()) {
      const int64_t first = batch_.first_slot[size_t(sequence)];
      check(first >= 0 && first + length <= pool_slots_, "slots are inside the KV pool");
      return;
    }
    const int64_t blocks = (length + batch_.block_size - 1) / batch_.block_size;
    check(blocks <= batch_.table_stride, "the block table is long enough for every position of a sequence");
    const auto row = batch_.block_table.begin() + std::ptrdiff_t(sequence) * batch_.table_stride;
    check(std::all_of(row, row + blocks,
                      [&](int32_t block) { return block >= 0 && block < pool_slots_ / batch_.block_size; }),
          "blocks are inside the KV pool");
  }

  int64_t slot(int sequence, int64_t position) const {
    if (!batch_.is_paged()) return ContiguousAddress{batch_.first_slot.data()}.slot(sequence, position);
    return PagedAddress{batch_.block_table.data(), batch_.table_stride, block_shift_of(batch_.block_size)}.slot(
        sequence, position);
  }

 private:
  const ForwardBatch& batch_;
  int64_t pool_slots_;
};

}  // namespace

void check_batch(const ForwardBatch& batch, const ModelConfig& config, int64_t max_positions, const KvPool& pool) {
  const size_t rows = batch.tokens.size();
  check(rows > 0, "a forward pass has at least one row");
  check(batch.positions.size() == rows && batch.slots.size() == rows, "one position and one slot a row");
  check(batch.query_start.size() > 1, "a forward pass has at least one sequence");
  check(batch.query_start.front() == 0 && size_t(batch.query_start.back()) == rows, "query_start spans all rows");
  check(std::is_sorted(batch.query_start.begin(), batch.query_start.end()), "query_start never decreases");
  for (size_t r = 0; r < rows; ++r) {
    check(batch.tokens[r] >= 0 && batch.tokens[r] < config.vocabulary, "token ids are inside the vocabulary");
    check(batch.positions[r] >= 0 && batch.positions[r] < max_positions, "positions are below max_positions");
  }
  const CheckedAddress address(batch, pool.slots());
  for (int s = 0; s < batch.sequences(); ++s) {
    const int first = batch.query_start[size_t(s)], last = batch.query_start[size_t(s) + 1];
    if (first == last) continue;
    const auto positions = batch.positions.begin();
    address.check_sequence(s, int64_t(*std::max_element(positions + first, positions + last)) + 1);
    for (int r = first; r < last; ++r) {
      check(batch.slots[size_t(r)] == address.slot(s, batch.positions[size_t(r)]),
            "a row is stored where attention looks for it");
    }
  }
  for (const int32_t row : batch.logit_rows) check(row >= 0 && size_t(row) < rows, "logit rows are rows of the pass");
}

}  // namespace stagecraft
