/// @file
/// Regions of a fixed length: where tokens lie, when there is room, and that every region comes back.
#include "stages/core/slot_kv_store.h"

#include <set>
#include <stdexcept>

#include "tests/catch.h"
#include "tests/scheduler/toy_engine.h"

namespace stagecraft {
namespace {

Request request_with_id(int id) {
  Request request;
  request.id = id;
  return request;
}

TEST_CASE("slots: position p lies p behind the first, and no two requests share one", "[kv]") {
  SlotKvStore store({.max_running = 3, .slots_per_request = 4});
  CHECK(store.slots() == 12);
  std::set<int64_t> taken;
  for (int id : {7, -1, 1 << 30}) {
    const Request request = request_with_id(id);
    REQUIRE(store.reserve(request, 4));
    for (int64_t p = 0; p < 4; ++p) {
      CHECK(store.slot(request, p) == store.first_slot(request) + p);
      CHECK(taken.insert(store.slot(request, p)).second);
    }
  }
  CHECK(*taken.begin() == 0);
  CHECK(*taken.rbegin() == store.slots() - 1);
}

TEST_CASE("slots: running out is an answer that changes nothing", "[kv]") {
  SlotKvStore store({.max_running = 1, .slots_per_request = 4});
  const Request first = request_with_id(1), second = request_with_id(2);
  CHECK(store.reserve(first, 1));
  CHECK_FALSE(store.reserve(second, 1));
  CHECK(store.reserved(second) == 0);
  CHECK_FALSE(store.reserve(first, 5));  // longer than its region
  CHECK(store.reserve(first, 4));
  store.release(first);
  CHECK(store.reserve(second, 4));
  store.check_invariants();
}

TEST_CASE("slots: 64-bit, beyond two billion", "[kv]") {
  SlotKvStore store({.max_running = 3, .slots_per_request = 1'000'000'000, .bytes_per_token = 1'000});
  for (int id : {0, 1, 2}) REQUIRE(store.reserve(request_with_id(id), 1'000'000'000));
  CHECK(store.slot(request_with_id(2), 999'999'999) == 2'999'999'999);
  CHECK(store.usage().used_bytes == 3'000'000'000'000);
}

TEST_CASE("bytes reserved count whole regions, bytes used what is stored", "[kv]") {
  SlotKvStore store({.max_running = 4, .slots_per_request = 10, .bytes_per_token = 3});
  const Request a = request_with_id(1), b = request_with_id(2);
  REQUIRE(store.reserve(a, 4));
  REQUIRE(store.reserve(b, 1));
  CHECK(store.usage().reserved_bytes == 2 * 10 * 3);
  CHECK(store.usage().used_bytes == 5 * 3);
  REQUIRE(store.reserve(a, 2));  // already has more
  CHECK(store.usage().used_bytes == 5 * 3);
  store.truncate(a, 1);
  CHECK(store.usage().used_bytes == 2 * 3);
  store.release(a), store.release(b), store.release(b);  // twice does no harm
  CHECK(store.usage().reserved_bytes == 0);
  CHECK(store.usage().used_bytes == 0);
  store.check_invariants();
}

TEST_CASE("a length fits up to the region's last slot, and the refusal names both", "[kv]") {
  const SlotKvStore store({.max_running = 1, .slots_per_request = 8});
  CHECK_FALSE(store.refusal(8));
  CHECK(store.refusal(9) == "it needs room for 9 tokens in the KV cache, and a request may have 8");
}

TEST_CASE("positions outside a region, and requests without one, are bugs", "[kv]") {
  SlotKvStore store({.max_running = 1, .slots_per_request = 8});
  const Request request = request_with_id(1);
  CHECK_THROWS_AS(store.first_slot(request), std::logic_error);
  REQUIRE(store.reserve(request, 1));
  CHECK_THROWS_AS(store.slot(request, 8), std::logic_error);
  CHECK_THROWS_AS(store.slot(request, -1), std::logic_error);
}

TEST_CASE("a pool without a region is refused", "[kv]") {
  CHECK(contains(complaint_of([] { SlotKvStore({.max_running = 0}); }), "max running requests is 0"));
  CHECK(contains(complaint_of([] { SlotKvStore({.slots_per_request = 0}); }), "region of 0 tokens"));
}

}  // namespace
}  // namespace stagecraft
