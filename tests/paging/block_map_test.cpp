/// @file
/// The map of blocks over time: every moment has its owners, however long the run and however large the pool.
#include "stages/5_paged_attention/block_map_recorder.h"
#include "tests/catch.h"

using namespace stagecraft;

namespace {

Request holder(int id) {
  Request request;
  request.id = id;
  request.tokens.assign(64, TokenId(id));
  return request;
}

void record_at(BlockMapRecorder& recorder, int64_t step) {
  recorder.record(std::chrono::steady_clock::time_point{} + std::chrono::milliseconds(step));
}

}  // namespace

TEST_CASE("the map tells for each block who holds it", "[paging][map]") {
  PagedKvStore store({.blocks = 3, .block_size = 4});
  BlockMapRecorder recorder(store);
  const Request seven = holder(7);
  REQUIRE(store.reserve(seven, 5));
  record_at(recorder, 0);
  store.release(seven);
  record_at(recorder, 1);
  const BlockMap map = recorder.take();
  CHECK(map.blocks == 3);
  REQUIRE(map.moments.size() == 2);
  CHECK(map.moments[0].owners == std::vector<int32_t>{7, 7, BlockMap::kFree});
  CHECK(map.moments[1].owners == std::vector<int32_t>(3, BlockMap::kFree));
}

TEST_CASE("a long run is thinned out evenly, and no moment loses its owners", "[paging][map]") {
  PagedKvStore store({.blocks = 2, .block_size = 4});
  BlockMapRecorder recorder(store);
  const int64_t steps = 5 * int64_t(BlockMapRecorder::kMostMoments) + 3;
  for (int64_t step = 0; step < steps; ++step) record_at(recorder, step);
  const BlockMap map = recorder.take();
  CHECK(map.moments.size() <= BlockMapRecorder::kMostMoments);
  CHECK(map.moments.size() > BlockMapRecorder::kMostMoments / 2);
  for (size_t i = 0; i < map.moments.size(); ++i) {
    CHECK(map.moments[i].owners.size() == 2);
    if (i > 0) CHECK(map.moments[i].at - map.moments[i - 1].at == map.moments[1].at - map.moments[0].at);
  }
}

TEST_CASE("of a large pool every n-th block is kept", "[paging][map]") {
  PagedKvStore store({.blocks = 1000, .block_size = 4});
  BlockMapRecorder recorder(store);
  record_at(recorder, 0);
  const BlockMap map = recorder.take();
  CHECK(map.every == 4);
  CHECK(map.moments[0].owners.size() == 250);
}
