#include "stages/5_paged_attention/block_map_recorder.h"

#include <algorithm>

namespace stagecraft {

BlockMapRecorder::BlockMapRecorder(const PagedKvStore& store) : store_(store) {
  map_.blocks = store.blocks();
  map_.every = std::max<int64_t>(1, (map_.blocks + kMostRows - 1) / kMostRows);
}

void BlockMapRecorder::record(std::chrono::steady_clock::time_point at) {
  if (step_++ % stride_ != 0) return;
  if (map_.moments.size() == kMostMoments) {
    for (size_t i = 1; 2 * i < kMostMoments; ++i) map_.moments[i] = std::move(map_.moments[2 * i]);
    map_.moments.resize(kMostMoments / 2);
    stride_ *= 2;
    if ((step_ - 1) % stride_ != 0) return;
  }
  const std::vector<int32_t> owners = store_.owners();
  BlockMap::Moment moment{at, {}};
  for (size_t block = 0; block < owners.size(); block += size_t(map_.every)) moment.owners.push_back(owners[block]);
  map_.moments.push_back(std::move(moment));
}

}  // namespace stagecraft
