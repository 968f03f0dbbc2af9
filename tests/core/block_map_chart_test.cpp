/// @file
/// The picture of who held which block.
#include "stages/core/block_map_chart.h"

#include "tests/catch.h"
#include "tests/core/run_records.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("a rectangle for each time a block has one owner; free blocks are not drawn", "[report][map]") {
  RunLog log;
  log.start = at_ms(0);
  log.end = at_ms(30);
  const int32_t free = BlockMap::kFree, shared = BlockMap::kShared, cached = BlockMap::kCached;
  log.block_map =
      BlockMap{3, 1, {{at_ms(0), {1, free, shared}}, {at_ms(10), {1, 2, shared}}, {at_ms(20), {2, 2, cached}}}};
  const std::string chart = block_map_chart(log);
  CHECK(count_of(chart, "<rect") == 2 + 1 + 2);  // block 0: 1, 2; block 1: 2; block 2: shared, cached
  CHECK(count_of(chart, "var(--ink)") == 1);
  CHECK(count_of(chart, "var(--line)") == 1);
  CHECK(count_of(chart, "hsl(") == 3);
  CHECK(chart.find("<title>Blocks over time</title>") != std::string::npos);
  CHECK(chart.find("nan") == std::string::npos);
}

TEST_CASE("a run without pages has no map", "[report][map]") {
  RunLog log;
  CHECK(block_map_chart(log).empty());
  log.block_map.emplace();
  CHECK(block_map_chart(log).empty());
}
