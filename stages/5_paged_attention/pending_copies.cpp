/// @file
/// A short list, searched from end to end.
#include "stages/5_paged_attention/pending_copies.h"

#include <algorithm>
#include <utility>

#include "kernels/check.h"

namespace stagecraft {

BlockId PendingCopies::add(BlockId from, BlockId to) {
  check(copy_to(to) == copies_.end() && readers(to) == 0, "a block is the target of one copy and the source of none");
  const auto earlier = copy_to(from);
  const BlockId source = earlier == copies_.end() ? from : earlier->from;
  copies_.push_back({source, to});
  return source;
}

std::optional<BlockId> PendingCopies::cancel(BlockId to) {
  const auto copy = copy_to(to);
  if (copy == copies_.end()) return std::nullopt;
  const BlockId source = copy->from;
  copies_.erase(copy);
  return source;
}

std::vector<BlockCopy> PendingCopies::take() { return std::exchange(copies_, {}); }

int PendingCopies::readers(BlockId block) const {
  return int(std::count_if(copies_.begin(), copies_.end(), [&](const BlockCopy& copy) { return copy.from == block; }));
}

std::vector<BlockCopy>::const_iterator PendingCopies::copy_to(BlockId to) const {
  return std::find_if(copies_.begin(), copies_.end(), [&](const BlockCopy& copy) { return copy.to == to; });
}

}  // namespace stagecraft
