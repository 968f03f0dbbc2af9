/// @file
/// Block tables without sharing: how they grow and shrink, where tokens lie, when there is room, what is in use.
#include "stages/5_paged_attention/paged_kv_store.h"

#include <set>
#include <stdexcept>

#include "tests/catch.h"
#include "tests/paging/requests.h"
#include "tests/scheduler/toy_engine.h"

namespace stagecraft {
namespace {

TEST_CASE("block sizes 1, 2, 16, 32, 256: a block more for each that is full, and never one too many", "[paging]") {
  const int64_t size = GENERATE(1, 2, 16, 32, 256);
  PagedKvStore store({.blocks = 5, .block_size = size});
  CHECK(store.block_size() == size);
  const Request request = request_of(7);
  for (int64_t length = 1; length <= 5 * size; ++length) {
    REQUIRE(store.reserve(request, length));
    REQUIRE(store.reserved(request) == length);
    REQUIRE(int64_t(table(store, request).size()) == (length - 1) / size + 1);
  }
  CHECK_FALSE(store.reserve(request, 5 * size + 1));
  CHECK(store.reserved(request) == 5 * size);
  std::set<int64_t> slots;
  for (int64_t p = 0; p < 5 * size; ++p) {
    CHECK(store.slot(request, p) == table(store, request)[size_t(p / size)] * size + p % size);
    slots.insert(store.slot(request, p));
  }
  CHECK(int64_t(slots.size()) == 5 * size);
  CHECK(*slots.begin() == 0);
  CHECK(*slots.rbegin() == 5 * size - 1);
  store.check_invariants();
}

TEST_CASE("running out is an answer that changes nothing", "[paging]") {
  PagedKvStore store({.blocks = 4, .block_size = 2});
  const Request a = request_of(1), b = request_of(2);
  REQUIRE(store.reserve(a, 3));
  REQUIRE(store.reserve(b, 1));
  const Blocks before = table(store, a);
  CHECK_FALSE(store.reserve(a, 7));  // two more, and one is there
  CHECK(table(store, a) == before);
  CHECK(store.reserved(a) == 3);
  CHECK(store.free_blocks() == 1);
  const Request c = request_of(3);
  CHECK_FALSE(store.reserve(c, 3));
  CHECK(store.reserved(c) == 0);
  CHECK(store.holders() == 2);
  CHECK(store.reserve(a, 6));
  store.check_invariants();
}

TEST_CASE("a request larger than the pool is refused by name, one that just fits is not", "[paging]") {
  const PagedKvStore store({.blocks = 4, .block_size = 16});
  CHECK_FALSE(store.refusal(64));
  CHECK(store.refusal(65) == "it needs room for 65 tokens in the KV cache, that is 5 blocks of 16, and there are 4");
}

TEST_CASE("nothing reserved, nothing held", "[paging]") {
  PagedKvStore store({.blocks = 1});
  const Request request = request_of(1);
  CHECK(store.reserve(request, 0));
  CHECK(store.holders() == 0);
  CHECK(table(store, request).empty());
  store.release(request);  // does no harm
  CHECK_THROWS_AS(store.reserve(request, -1), std::logic_error);
  CHECK_THROWS_AS(store.truncate(request, 0), std::logic_error);
  CHECK_THROWS_AS(store.commit(request, 0), std::logic_error);
  CHECK_THROWS_AS(store.slot(request, 0), std::logic_error);
}

TEST_CASE("stale tails: what is truncated has no slot, whole blocks go back, and come again empty", "[paging]") {
  PagedKvStore store({.blocks = 4, .block_size = 4});
  const Request request = request_of(1, text(0, 6));
  REQUIRE(store_all(store, request));
  REQUIRE(store.reserve(request, 15));  // nine guesses
  CHECK(store.free_blocks() == 0);
  store.truncate(request, 8);
  CHECK(store.reserved(request) == 8);
  CHECK(store.free_blocks() == 2);
  CHECK_THROWS_AS(store.slot(request, 8), std::logic_error);
  store.truncate(request, 7);
  CHECK(store.free_blocks() == 2);  // its block is still needed
  CHECK_THROWS_AS(store.truncate(request, 8), std::logic_error);
  store.check_invariants();
  store.truncate(request, 0);
  CHECK(store.holders() == 0);
  CHECK(store.available_blocks() == 4);
  store.check_invariants();
}

TEST_CASE("output that ends at a block edge takes no further block", "[paging]") {
  PagedKvStore store({.blocks = 3, .block_size = 8});
  Request request = request_of(1, text(0, 8));  // prompt = block size
  REQUIRE(store_all(store, request));
  CHECK(table(store, request).size() == 1);
  while (request.tokens.size() < 16) {
    request.tokens.push_back(5);
    REQUIRE(store_all(store, request));
  }
  CHECK(table(store, request).size() == 2);
  CHECK(store.free_blocks() == 1);
  store.release(request);
  CHECK(store.available_blocks() == 3);
}

TEST_CASE("released: all blocks come back, once, also when released twice", "[paging]") {
  PagedKvStore store({.blocks = 6, .block_size = 2, .prefix_cache = GENERATE(true, false)});
  const Request a = request_of(1, text(0, 5)), b = request_of(2, text(50, 6));
  REQUIRE(store_all(store, a));
  REQUIRE(store_all(store, b));
  CHECK(store.available_blocks() == 0);
  store.release(a), store.release(a);
  CHECK(store.available_blocks() == 3);
  store.release(b), store.release(a);
  CHECK(store.available_blocks() == 6);
  CHECK(store.holders() == 0);
  store.check_invariants();
}

TEST_CASE("32-bit overflow: slots beyond two billion", "[paging]") {
  constexpr int64_t kSize = int64_t{1} << 30;
  PagedKvStore store({.blocks = 4, .block_size = kSize, .bytes_per_token = 1000});
  const Request request = request_of(1);
  REQUIRE(store.reserve(request, 3 * kSize));
  CHECK(store.slot(request, 3 * kSize - 1) == 3'221'225'471);
  CHECK(store.usage().used_bytes == 3'221'225'472'000);
}

TEST_CASE("16-bit block ids: no slot is shared in a pool of more than 65,536 blocks", "[paging]") {
  constexpr int kRequests = 70'000;
  PagedKvStore store({.blocks = kRequests, .block_size = 2});
  std::set<int64_t> slots;
  for (int id = 0; id < kRequests; ++id) {
    REQUIRE(store.reserve(request_of(id), 2));
    slots.insert(store.slot(request_of(id), 1));
  }
  CHECK(slots.size() == kRequests);
  CHECK(*slots.rbegin() == 2 * kRequests - 1);
  store.check_invariants();
}

TEST_CASE("bytes reserved count whole blocks, bytes used the tokens in them", "[paging][usage]") {
  PagedKvStore store({.blocks = 8, .block_size = 4, .bytes_per_token = 3});
  const Request a = request_of(1, text(0, 6)), b = request_of(2, text(100, 4));
  REQUIRE(store_all(store, a));
  REQUIRE(store_all(store, b));
  CHECK(store.usage().reserved_bytes == 3 * 4 * 3);
  CHECK(store.usage().used_bytes == (6 + 4) * 3);
  store.truncate(a, 3);
  CHECK(store.usage().reserved_bytes == 2 * 4 * 3);
  CHECK(store.usage().used_bytes == (3 + 4) * 3);
  store.release(a), store.release(b);
  CHECK(store.usage().reserved_bytes == 0);  // what is cached is taken from nobody
  CHECK(store.usage().used_bytes == 0);
  CHECK(store.cached_blocks() == 2);
  CHECK(store.free_blocks() == 6);
}

TEST_CASE("bytes of shared blocks count once, up to where the longest holder goes", "[paging][usage]") {
  PagedKvStore store({.blocks = 8, .block_size = 4, .bytes_per_token = 1});
  const Request parent = request_of(1, text(0, 7)), child = request_of(2, text(0, 7)),
                third = request_of(3, text(0, 9));
  REQUIRE(store_all(store, parent));
  store.fork(parent, child, 6);
  CHECK(store.usage().reserved_bytes == 8);
  CHECK(store.usage().used_bytes == 7);
  REQUIRE(store.reserve(child, 7));  // a block of its own, and a source that is still needed by the parent
  CHECK(store.usage().reserved_bytes == 12);
  CHECK(store.usage().used_bytes == 7 + 3);
  store.release(parent);  // now the source is kept for the copy only: no request's
  CHECK(store.usage().reserved_bytes == 8);
  CHECK(store.usage().used_bytes == 7);
  CHECK(store.take_copies().size() == 1);
  CHECK(store.usage().reserved_bytes == 8);
  REQUIRE(store.reserve(third, 9));
  CHECK(store.usage().reserved_bytes == 8 + 12);
  CHECK(store.usage().used_bytes == 7 + 9);
}

TEST_CASE("the map of owners: free, one's own, shared, cached", "[paging][usage]") {
  PagedKvStore store({.blocks = 6, .block_size = 2});
  const Request a = request_of(11, text(0, 3)), b = request_of(22, text(0, 3)), gone = request_of(33, text(50, 2));
  constexpr int32_t kFree = BlockMap::kFree, kCached = BlockMap::kCached, kShared = BlockMap::kShared;
  CHECK(store.owners() == std::vector<int32_t>(6, kFree));
  REQUIRE(store_all(store, a));
  REQUIRE(store.match_prefix(b) == 2);
  REQUIRE(store_all(store, b));
  REQUIRE(store_all(store, gone));
  store.release(gone);
  CHECK(store.owners() == std::vector<int32_t>{kShared, 11, 22, kCached, kFree, kFree});
}

TEST_CASE("blocks needed: exactly what reserve takes", "[paging]") {
  PagedKvStore store({.blocks = 6, .block_size = 4});
  const Request request = request_of(1, text(0, 5));
  CHECK(store.blocks_needed(request, 0) == 0);
  CHECK(store.blocks_needed(request, 4) == 1);
  CHECK(store.blocks_needed(request, 5) == 2);
  CHECK(store.blocks_needed(request, 400) == 100);
  REQUIRE(store_all(store, request));
  CHECK(store.blocks_needed(request, 3) == 0);
  CHECK(store.blocks_needed(request, 8) == 0);
  CHECK(store.blocks_needed(request, 9) == 1);
  store.fork(request, request_of(2, request.tokens), 5);
  CHECK(store.blocks_needed(request, 5) == 0);  // there is nothing to write
  CHECK(store.blocks_needed(request, 6) == 1);  // for the copy
  CHECK(store.blocks_needed(request, 9) == 2);
}

TEST_CASE("block sizes that are no power of two are refused, and the nearest named", "[paging]") {
  const auto complaint = [](int64_t size) {
    return complaint_of([&] { PagedKvStore({.blocks = 1, .block_size = size}); });
  };
  CHECK(contains(complaint(0), "block of 0 tokens holds nothing | 1 is the smallest"));
  CHECK(contains(complaint(-4), "block of -4 tokens"));
  CHECK(contains(complaint(24), "block of 24 tokens: the size must be a power of two | 16 and 32 are the nearest"));
  CHECK(contains(complaint(3), "2 and 4 are the nearest"));
  CHECK(contains(complaint(int64_t{1} << 40), "longer than any text"));
  for (const int64_t good : {1, 2, 16, 32, 256}) CHECK(complaint(good) == "");
  CHECK(contains(complaint_of([] { PagedKvStore({.blocks = 0}); }), "pool of 0 blocks"));
}

}  // namespace
}  // namespace stagecraft
