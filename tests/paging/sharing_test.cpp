/// @file
/// Blocks in several tables: prefixes that are found again, samples, forks, copies on write, and what is discarded.
#include <algorithm>
#include <stdexcept>

#include "stages/5_paged_attention/paged_kv_store.h"
#include "tests/catch.h"
#include "tests/paging/requests.h"

namespace stagecraft {

static bool operator==(const BlockCopy& a, const BlockCopy& b) { return a.from == b.from && a.to == b.to; }

namespace {

using Copies = std::vector<BlockCopy>;

uint64_t all_equal(uint64_t, std::span<const TokenId>) { return 42; }

PagedKvStore store_of(int64_t blocks, int64_t block_size = 4) {
  return PagedKvStore({.blocks = blocks, .block_size = block_size, .bytes_per_token = 1});
}

/// A request that has been served: its blocks are held by nobody, and known.
void serve(PagedKvStore& store, int id, const Tokens& tokens) {
  const Request request = request_of(id, tokens);
  REQUIRE(store_all(store, request));
  store.release(request);
}

TEST_CASE("a common prompt is found, in whole blocks, while its first owner still runs", "[paging][prefix]") {
  PagedKvStore store = store_of(10);
  const Request a = request_of(1, text(0, 11)), b = request_of(2, text(0, 9) + text(70, 5));
  REQUIRE(store_all(store, a));
  CHECK(store.match_prefix(b) == 8);
  CHECK(store.reserved(b) == 8);
  CHECK(table(store, b) == Blocks{table(store, a)[0], table(store, a)[1]});
  REQUIRE(store_all(store, b));
  CHECK(table(store, b)[1] == table(store, a)[1]);
  CHECK(table(store, b)[2] != table(store, a)[2]);
  store.release(a);
  CHECK(store.slot(b, 3) == table(store, b)[0] * 4 + 3);
  CHECK(store.sharing().lookups == 2);
  CHECK(store.sharing().hit_tokens == 8);
  CHECK(store.sharing().copies == 0);
}

TEST_CASE("a prefix is found after its owner has left, until its blocks are needed", "[paging][prefix]") {
  PagedKvStore store = store_of(3);
  serve(store, 1, text(0, 8));
  CHECK(store.cached_blocks() == 2);
  const Request again = request_of(2, text(0, 9));
  CHECK(store.match_prefix(again) == 8);
  CHECK(store.cached_blocks() == 0);
  store.release(again);
  serve(store, 3, text(50, 12));  // takes the whole pool
  CHECK(store.sharing().evictions == 2);
  CHECK(store.match_prefix(request_of(4, text(0, 9))) == 0);
  store.check_invariants();
}

TEST_CASE("full prefix hit: the last token is computed again, in a copy of its block", "[paging][prefix]") {
  PagedKvStore store = store_of(5);
  serve(store, 1, text(0, 8));  // prompt = two blocks
  const Request request = request_of(2, text(0, 8));
  CHECK(store.match_prefix(request) == 7);
  const Blocks cached = table(store, request);
  REQUIRE(cached.size() == 2);
  CHECK(store.blocks_needed(request, 8) == 1);
  REQUIRE(store.reserve(request, 8));
  CHECK(table(store, request)[0] == cached[0]);
  CHECK(table(store, request)[1] != cached[1]);
  CHECK(store.take_copies() == Copies{{cached[1], table(store, request)[1]}});
  store.commit(request, 8);
  CHECK(table(store, request) == cached);  // it has become the same block again, and needs no second one
  CHECK(store.free_blocks() == 3);
  store.check_invariants();
}

TEST_CASE("full prefix hit, blocks of one token: the last one is not taken", "[paging][prefix]") {
  PagedKvStore store = store_of(9, 1);
  serve(store, 1, text(0, 4));
  const Request request = request_of(2, text(0, 4));
  CHECK(store.match_prefix(request) == 3);
  CHECK(table(store, request).size() == 3);
  REQUIRE(store.reserve(request, 4));
  CHECK(store.take_copies().empty());
}

TEST_CASE("lengths 0 and 1: there is nothing to share", "[paging][prefix]") {
  PagedKvStore store = store_of(9, 1);
  serve(store, 1, text(0, 4));
  CHECK(store.match_prefix(request_of(2)) == 0);
  CHECK(store.match_prefix(request_of(2, text(0, 1))) == 0);
  CHECK(store.holders() == 0);
}

TEST_CASE("a lone request goes on where the pool is full: the hit block is written in place, and forgotten",
          "[paging][prefix]") {
  PagedKvStore store = store_of(2);
  serve(store, 1, text(0, 8));
  const Request request = request_of(2, text(0, 8));
  REQUIRE(store.match_prefix(request) == 7);
  const Blocks before = table(store, request);
  CHECK(store.blocks_needed(request, 8) == 0);
  REQUIRE(store.reserve(request, 8));
  CHECK(table(store, request) == before);
  CHECK(store.take_copies().empty());
  store.check_invariants();
  store.commit(request, 8);
  store.release(request);
  CHECK(store.match_prefix(request_of(3, text(0, 9))) == 8);  // and known again
  store.check_invariants();
}

TEST_CASE("the same, with blocks that follow on the one that is forgotten: they go first", "[paging][prefix]") {
  PagedKvStore store = store_of(4);
  serve(store, 1, text(0, 16));
  Request request = request_of(2, text(0, 8));
  REQUIRE(store.match_prefix(request) == 7);
  request.tokens = text(0, 8) + text(90, 8);
  REQUIRE(store.reserve(request, 16));
  CHECK(store.sharing().evictions == 2);
  CHECK(store.sharing().copies == 0);
  store.check_invariants();
}

TEST_CASE("a block is not hit before the step that writes it is committed", "[paging][prefix]") {
  PagedKvStore store = store_of(10);
  const Request a = request_of(1, text(0, 12)), b = request_of(2, text(0, 12));
  REQUIRE(store.reserve(a, 12));
  CHECK(store.match_prefix(b) == 0);
  store.commit(a, 7);  // a chunk
  CHECK(store.match_prefix(b) == 4);
  store.release(b);
  store.commit(a, 12);
  CHECK(store.match_prefix(b) == 11);
}

TEST_CASE("unverified drafts are not hashed: only what is committed is found", "[paging][prefix]") {
  PagedKvStore store = store_of(10);
  Request a = request_of(1, text(0, 6));
  REQUIRE(store_all(store, a));
  a.draft = text(6, 6);
  REQUIRE(store.reserve(a, 12));
  const Request as_drafted = request_of(2, text(0, 20));
  CHECK(store.match_prefix(as_drafted) == 4);
  store.release(as_drafted);
  a.tokens = text(0, 7) + Tokens{99};  // one guess was right
  store.truncate(a, 7);
  store.commit(a, 7);
  CHECK(store.match_prefix(as_drafted) == 4);
  CHECK_THROWS_AS(store.commit(a, 8), std::logic_error);  // the token drawn last has no place yet
  store.check_invariants();
}

TEST_CASE("hash collision: with all hashes equal nobody gets another's block", "[paging][prefix]") {
  PagedKvStore store({.blocks = 20, .block_size = 4, .hash = all_equal});
  serve(store, 1, text(0, 12));
  CHECK(store.match_prefix(request_of(2, text(500, 12))) == 0);
  CHECK(store.match_prefix(request_of(3, text(0, 4) + text(8, 8))) == 4);
  CHECK(store.match_prefix(request_of(4, text(4, 8))) == 0);
  CHECK(store.match_prefix(request_of(5, text(0, 13))) == 12);
  store.check_invariants();
}

TEST_CASE("prefix cache off: nothing is found and nothing is kept", "[paging][prefix]") {
  PagedKvStore store({.blocks = 4, .block_size = 4, .prefix_cache = false});
  serve(store, 1, text(0, 12));
  CHECK(store.cached_blocks() == 0);
  CHECK(store.free_blocks() == 4);
  CHECK(store.match_prefix(request_of(2, text(0, 12))) == 0);
}

TEST_CASE("two requests with one prompt, side by side: when both are committed they hold the same blocks",
          "[paging][prefix]") {
  PagedKvStore store = store_of(10);
  const Request a = request_of(1, text(0, 10)), b = request_of(2, text(0, 10));
  REQUIRE(store.reserve(a, 10));
  REQUIRE(store.reserve(b, 10));
  CHECK(store.free_blocks() == 4);
  store.commit(a, 10);
  store.commit(b, 10);
  CHECK(table(store, b)[1] == table(store, a)[1]);
  CHECK(table(store, b)[2] != table(store, a)[2]);
  CHECK(store.free_blocks() == 6);
  store.check_invariants();
}

TEST_CASE("a preempted request finds its own blocks again, as far as they are left", "[paging][prefix]") {
  PagedKvStore store = store_of(5);
  const Request request = request_of(1, text(0, 14));
  REQUIRE(store_all(store, request));
  store.release(request);
  CHECK(store.match_prefix(request) == 12);
  store.release(request);
  serve(store, 2, text(50, 12));  // takes the free blocks, and one more: the last of the chain
  CHECK(store.sharing().evictions == 1);
  CHECK(store.match_prefix(request) == 8);
  store.check_invariants();
}

TEST_CASE("eviction: the chain that was not wanted for longest goes first, each from its end", "[paging][evict]") {
  PagedKvStore store = store_of(4);
  serve(store, 1, text(0, 8));
  serve(store, 2, text(100, 8));
  const Request again = request_of(3, text(0, 9));  // wanted once more
  REQUIRE(store.match_prefix(again) == 8);
  store.release(again);
  const auto left = [&](TokenId first) {
    const Request probe = request_of(9, text(first, 9));
    const int64_t length = store.match_prefix(probe);
    store.release(probe);
    return length;
  };
  const Request taker = request_of(4, text(500, 12));
  REQUIRE(store.reserve(taker, 4));
  CHECK((left(100) == 4 && left(0) == 8));
  REQUIRE(store.reserve(taker, 8));
  CHECK((left(100) == 0 && left(0) == 8));
  REQUIRE(store.reserve(taker, 12));
  CHECK(left(0) == 4);
  store.check_invariants();
}

TEST_CASE("a hit is counted when the request gets room, not as often as it asks", "[paging][prefix]") {
  PagedKvStore store = store_of(3);
  const Request holder = request_of(1, text(0, 8)), waiter = request_of(2, text(0, 16));
  REQUIRE(store_all(store, holder));
  for (int step = 0; step < 3; ++step) {
    REQUIRE(store.match_prefix(waiter) == 8);
    REQUIRE_FALSE(store.reserve(waiter, 16));
    store.release(waiter);
  }
  CHECK(store.sharing().lookups == 1);
  CHECK(store.sharing().hit_tokens == 0);
  REQUIRE(store.match_prefix(waiter) == 8);
  REQUIRE(store.reserve(waiter, 9));
  REQUIRE(store.reserve(waiter, 12));
  CHECK(store.sharing().lookups == 2);
  CHECK(store.sharing().hit_tokens == 8);
}

TEST_CASE("samples of one prompt share it up to its last token, also a block that is not full", "[paging][fork]") {
  PagedKvStore store({.blocks = 10, .block_size = 4, .prefix_cache = GENERATE(true, false)});
  const Request first = request_of(1, text(0, 7));
  REQUIRE(store_all(store, first));
  Request second = request_of(2, text(0, 7));
  second.sample_of = 1;
  CHECK(store.match_prefix(second) == 6);
  CHECK(table(store, second) == table(store, first));
  REQUIRE(store.reserve(second, 7));
  CHECK(table(store, second)[0] == table(store, first)[0]);
  CHECK(store.take_copies() == Copies{{table(store, first)[1], table(store, second)[1]}});
  store.commit(second, 7);
  store.check_invariants();
}

TEST_CASE("a sample shares only tokens that are equal, and committed", "[paging][fork]") {
  PagedKvStore store = store_of(10);
  Request first = request_of(1, text(0, 7));
  REQUIRE(store.reserve(first, 7));
  store.commit(first, 3);
  Request same = request_of(2, text(0, 7)), other = request_of(3, text(0, 2) + text(80, 5));
  same.sample_of = other.sample_of = 1;
  CHECK(store.match_prefix(same) == 3);
  CHECK(store.match_prefix(other) == 2);
  Request orphan = request_of(4, text(0, 7));
  orphan.sample_of = 77;
  CHECK(store.match_prefix(orphan) == 0);
  orphan.sample_of = 4;  // its own
  CHECK(store.match_prefix(orphan) == 0);
  store.check_invariants();
}

TEST_CASE("a sample takes from the cache where that has more", "[paging][fork]") {
  PagedKvStore store = store_of(10);
  serve(store, 9, text(0, 8));
  Request first = request_of(1, text(0, 10));
  REQUIRE(store.reserve(first, 10));
  store.commit(first, 3);
  Request second = request_of(2, text(0, 10));
  second.sample_of = 1;
  CHECK(store.match_prefix(second) == 8);
}

TEST_CASE("copy on write: whoever writes first copies, the last holder writes in place", "[paging][fork]") {
  PagedKvStore store = store_of(10);
  Request parent = request_of(1, text(0, 6));
  REQUIRE(store_all(store, parent));
  Request child = request_of(2, text(0, 6) + Tokens{50});
  store.fork(parent, child, 6);
  const BlockId shared = table(store, parent)[1];
  REQUIRE(store.reserve(parent, 7));
  const BlockId own = table(store, parent)[1];
  CHECK(own != shared);
  REQUIRE(store.reserve(child, 7));
  CHECK(table(store, child)[1] == shared);
  CHECK(store.take_copies() == Copies{{shared, own}});
  CHECK(store.sharing().copies == 1);
  store.check_invariants();
}

TEST_CASE("three beams of one request: two copies, and three last blocks", "[paging][fork]") {
  PagedKvStore store = store_of(10);
  const Request parent = request_of(1, text(0, 6));
  REQUIRE(store_all(store, parent));
  const Request left = request_of(2, text(0, 6)), right = request_of(3, text(0, 6));
  store.fork(parent, left, 6);
  store.fork(left, right, 6);  // a fork of a fork
  CHECK(store.free_blocks() == 8);
  for (const Request* beam : {&left, &right, &parent}) REQUIRE(store.reserve(*beam, 8));
  CHECK(store.take_copies().size() == 2);
  CHECK(table(store, left)[1] != table(store, right)[1]);
  CHECK(table(store, left)[1] != table(store, parent)[1]);
  CHECK(table(store, right)[1] != table(store, parent)[1]);
  CHECK(table(store, right)[0] == table(store, parent)[0]);
  CHECK(store.free_blocks() == 6);
  store.check_invariants();
}

TEST_CASE("a fork at a block edge needs no copy", "[paging][fork]") {
  PagedKvStore store = store_of(10);
  const Request parent = request_of(1, text(0, 8)), child = request_of(2, text(0, 8));
  REQUIRE(store_all(store, parent));
  store.fork(parent, child, 8);
  REQUIRE(store.reserve(child, 9));
  REQUIRE(store.reserve(parent, 9));
  CHECK(store.take_copies().empty());
}

TEST_CASE("a fork shares what is committed and equal, into a request that holds nothing", "[paging][fork]") {
  PagedKvStore store = store_of(10);
  const Request parent = request_of(1, text(0, 6)), child = request_of(2, text(0, 6)),
                other = request_of(3, text(0, 5) + Tokens{77});
  CHECK_THROWS_AS(store.fork(parent, child, 0), std::logic_error);
  REQUIRE(store.reserve(parent, 6));
  store.commit(parent, 5);
  CHECK_THROWS_AS(store.fork(parent, child, 6), std::logic_error);
  store.commit(parent, 6);
  CHECK_THROWS_AS(store.fork(parent, other, 6), std::logic_error);
  store.fork(parent, other, 5);
  CHECK_THROWS_AS(store.fork(parent, other, 5), std::logic_error);
  CHECK_THROWS_AS(store.match_prefix(other), std::logic_error);
  store.fork(parent, child, 0);
  CHECK(store.reserved(child) == 0);
  store.check_invariants();
}

TEST_CASE("no room for the copy: the answer is no, and nothing has changed", "[paging][fork]") {
  PagedKvStore store = store_of(2);
  const Request parent = request_of(1, text(0, 6)), child = request_of(2, text(0, 6));
  REQUIRE(store_all(store, parent));
  store.fork(parent, child, 6);
  const Blocks before = table(store, child);
  CHECK_FALSE(store.reserve(child, 7));
  CHECK(table(store, child) == before);
  CHECK(store.take_copies().empty());
  store.release(parent);
  CHECK(store.reserve(child, 7));  // alone with its block
  CHECK(store.take_copies().empty());
  store.check_invariants();
}

TEST_CASE("the source of a pending copy is given to nobody before the copy is taken", "[paging][copies]") {
  PagedKvStore store = store_of(3);
  const Request parent = request_of(1, text(0, 6)), child = request_of(2, text(0, 6)), third = request_of(3);
  REQUIRE(store_all(store, parent));
  store.fork(parent, child, 6);
  const BlockId source = table(store, parent)[1];
  REQUIRE(store.reserve(child, 7));
  store.release(parent);
  CHECK(store.available_blocks() == 0);
  CHECK_FALSE(store.reserve(third, 1));
  CHECK(store.owners()[size_t(source)] == BlockMap::kCached);
  store.check_invariants();
  CHECK(store.take_copies() == Copies{{source, table(store, child)[1]}});
  CHECK(store.reserve(third, 1));
  CHECK(table(store, third) == Blocks{source});
}

TEST_CASE("a copy into a block that was given back is not done, and its source is free", "[paging][copies]") {
  PagedKvStore store = store_of(4);
  const Request parent = request_of(1, text(0, 6)), child = request_of(2, text(0, 6));
  REQUIRE(store_all(store, parent));
  store.fork(parent, child, 6);
  REQUIRE(store.reserve(child, 7));
  store.release(parent);
  SECTION("released") { store.release(child); }
  SECTION("truncated") { store.truncate(child, 4); }
  store.check_invariants();
  CHECK(store.available_blocks() >= 3);
  CHECK(store.take_copies().empty());
}

TEST_CASE("a fork of a request whose copy is pending: both copies read the first source", "[paging][copies]") {
  PagedKvStore store = store_of(8);
  const Request parent = request_of(1, text(0, 6)), child = request_of(2, text(0, 6)),
                third = request_of(3, text(0, 6));
  REQUIRE(store_all(store, parent));
  store.fork(parent, child, 6);
  const BlockId source = table(store, parent)[1];
  REQUIRE(store.reserve(child, 7));
  store.fork(child, third, 6);
  REQUIRE(store.reserve(third, 7));
  store.check_invariants();
  CHECK(store.take_copies() == Copies{{source, table(store, child)[1]}, {source, table(store, third)[1]}});
}

TEST_CASE("to forget the copies before a step is committed is a bug", "[paging][copies]") {
  PagedKvStore store = store_of(8);
  const Request parent = request_of(1, text(0, 6)), child = request_of(2, text(0, 6) + Tokens{1});
  REQUIRE(store_all(store, parent));
  store.fork(parent, child, 6);
  REQUIRE(store.reserve(child, 7));
  CHECK_THROWS_AS(store.commit(child, 7), std::logic_error);
}

TEST_CASE("rewritten after truncation: a known block is copied, never written", "[paging][copies]") {
  PagedKvStore store = store_of(4);
  Request request = request_of(1, text(0, 8));
  REQUIRE(store_all(store, request));
  const BlockId known = table(store, request)[1];
  store.truncate(request, 6);
  request.tokens = text(0, 6) + text(90, 2);
  REQUIRE(store.reserve(request, 8));
  CHECK(store.take_copies() == Copies{{known, table(store, request)[1]}});
  store.commit(request, 8);
  const Request other = request_of(2, text(0, 9));
  CHECK(store.match_prefix(other) == 8);
  CHECK(table(store, other)[1] == known);
  store.check_invariants();
}

TEST_CASE("block sizes 1, 2, 16, 32, 256: a shared prompt of every length around the block's edge",
          "[paging][prefix]") {
  const int64_t size = GENERATE(1, 2, 16, 32, 256);
  for (int64_t length : {size - 1, size, size + 1, 2 * size - 1, 2 * size, 2 * size + 1}) {
    if (length < 1) continue;
    PagedKvStore store({.blocks = 9, .block_size = size});
    serve(store, 1, text(0, length));
    const Request again = request_of(2, text(0, length));
    CHECK(store.match_prefix(again) == std::min(length / size * size, length - 1));
    REQUIRE(store_all(store, again));
    CHECK(store.cached_blocks() == 0);
    CHECK(int64_t(table(store, again).size()) == (length + size - 1) / size);
  }
}

}  // namespace
}  // namespace stagecraft
