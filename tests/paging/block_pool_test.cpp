/// @file
/// Free, held, cached: how blocks move between the three, and that misuse is a bug that is reported.
#include "stages/5_paged_attention/block_pool.h"

#include <set>
#include <stdexcept>

#include "tests/catch.h"
#include "tests/scheduler/toy_engine.h"

namespace stagecraft {
namespace {

using Order = std::list<BlockId>;

constexpr bool kKeep = true, kForget = false;

TEST_CASE("blocks are handed out once each, from the first, until there is none", "[paging][pool]") {
  BlockPool pool(3);
  for (const BlockId expected : {0, 1, 2}) CHECK(pool.take_free() == expected);
  CHECK_FALSE(pool.take_free());
  CHECK(pool.held_blocks() == 3);
  pool.release(1, kForget);
  CHECK(pool.free_blocks() == 1);
  CHECK(pool.take_free() == 1);
  pool.check_invariants();
}

TEST_CASE("a block is free when the last of its holders gives it back", "[paging][pool]") {
  BlockPool pool(1);
  const BlockId block = *pool.take_free();
  pool.share(block), pool.share(block);
  CHECK(pool.references(block) == 3);
  pool.release(block, kForget), pool.release(block, kForget);
  CHECK(pool.free_blocks() == 0);
  pool.release(block, kForget);
  CHECK(pool.references(block) == 0);
  CHECK(pool.free_blocks() == 1);
  pool.check_invariants();
}

TEST_CASE("kept blocks queue up, the longest unwanted first; one that is wanted leaves the queue", "[paging][pool]") {
  BlockPool pool(4);
  for (int i = 0; i < 4; ++i) REQUIRE(pool.take_free());
  for (const BlockId block : {2, 0, 3}) pool.release(block, kKeep);
  CHECK(pool.cached() == Order{2, 0, 3});
  CHECK(pool.free_blocks() == 0);

  pool.share(2);
  CHECK(pool.cached() == Order{0, 3});
  pool.release(2, kKeep);  // now it is the youngest
  CHECK(pool.cached() == Order{0, 3, 2});

  pool.discard(3);
  CHECK(pool.cached() == Order{0, 2});
  CHECK(pool.take_free() == 3);
  pool.check_invariants();
}

TEST_CASE("double free, use of a free block, and blocks that are none are bugs", "[paging][pool]") {
  BlockPool pool(2);
  const BlockId block = *pool.take_free();
  CHECK_THROWS_AS(pool.discard(block), std::logic_error);  // somebody holds it
  pool.release(block, kForget);
  CHECK_THROWS_AS(pool.release(block, kForget), std::logic_error);
  CHECK_THROWS_AS(pool.release(block, kKeep), std::logic_error);
  CHECK_THROWS_AS(pool.share(block), std::logic_error);
  CHECK_THROWS_AS(pool.discard(block), std::logic_error);
  for (const BlockId none : {-1, 2, 65'536 + 0}) {
    CHECK_THROWS_AS(pool.references(none), std::logic_error);
    CHECK_THROWS_AS(pool.release(none, kForget), std::logic_error);
  }
  pool.check_invariants();  // and nothing has happened
  CHECK(pool.free_blocks() == 2);
}

TEST_CASE("a cached block is freed twice by nobody", "[paging][pool]") {
  BlockPool pool(1);
  const BlockId block = *pool.take_free();
  pool.release(block, kKeep);
  CHECK_THROWS_AS(pool.release(block, kKeep), std::logic_error);
  pool.discard(block);
  CHECK_THROWS_AS(pool.discard(block), std::logic_error);
  pool.check_invariants();
}

TEST_CASE("16-bit block ids: a pool of more than 65,536 blocks has as many different ones", "[paging][pool]") {
  constexpr int64_t kBlocks = 70'000;
  BlockPool pool(kBlocks);
  std::set<BlockId> ids;
  for (int64_t i = 0; i < kBlocks; ++i) ids.insert(*pool.take_free());
  CHECK(int64_t(ids.size()) == kBlocks);
  CHECK(*ids.rbegin() == kBlocks - 1);
  CHECK_FALSE(pool.take_free());
}

TEST_CASE("a pool without a block, or with more than can be numbered, is refused", "[paging][pool]") {
  CHECK(contains(complaint_of([] { BlockPool(0); }), "pool of 0 blocks holds nothing | 1 is the smallest"));
  CHECK(contains(complaint_of([] { BlockPool(-3); }), "pool of -3 blocks"));
  CHECK(contains(complaint_of([] { BlockPool(int64_t{1} << 31); }), "more than can be numbered | 2147483647"));
}

}  // namespace
}  // namespace stagecraft
