#pragma once
/// @file
/// Copies on write that the device has not done yet. Books are kept while a step is planned; the device works later:
///
///     plan      request B is to write into block 3, which A reads too: B gets block 8, a copy 3 -> 8 is noted
///     plan      A is preempted and gives block 3 back; who takes it now must not write before the copy is done
///     device    the copies, in any order or all at once; then the pass writes
///
/// Two rules make the order of copies a matter of no account: what is read is not written (the store keeps a reference
/// on each source until the copies are taken, so that it is given to nobody), and what is written is not read (a copy of
/// a copy reads the first source, which holds the same).
#include <optional>
#include <vector>

#include "kernels/kv_address.h"
#include "stages/5_paged_attention/block_pool.h"

namespace stagecraft {

class PendingCopies {
 public:
  /// `to` is to hold what `from` holds. Returns the block that will be read.
  BlockId add(BlockId from, BlockId to);

  /// Nobody wants `to` any more. Returns the block that was to be read for it; nothing if none was.
  std::optional<BlockId> cancel(BlockId to);

  /// All there are; from now on there are none.
  std::vector<BlockCopy> take();

  const std::vector<BlockCopy>& waiting() const { return copies_; }

  /// How many copies read `block`.
  int readers(BlockId block) const;

 private:
  std::vector<BlockCopy>::const_iterator copy_to(BlockId to) const;

  std::vector<BlockCopy> copies_;  // few: at most one a request and step
};

}  // namespace stagecraft
