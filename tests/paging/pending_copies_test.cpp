/// @file
/// Copies that wait: any order of doing them gives the same.
#include "stages/5_paged_attention/pending_copies.h"

#include <stdexcept>

#include "tests/catch.h"

namespace stagecraft {

static bool operator==(const BlockCopy& a, const BlockCopy& b) { return a.from == b.from && a.to == b.to; }

namespace {

using Copies = std::vector<BlockCopy>;

TEST_CASE("copies are told once", "[paging][copies]") {
  PendingCopies copies;
  CHECK(copies.add(3, 8) == 3);
  CHECK(copies.add(3, 9) == 3);
  CHECK(copies.readers(3) == 2);
  CHECK(copies.readers(8) == 0);
  CHECK(copies.take() == Copies{{3, 8}, {3, 9}});
  CHECK(copies.waiting().empty());
  CHECK(copies.take().empty());
  CHECK(copies.readers(3) == 0);
}

TEST_CASE("a copy of a copy reads the first source: the order of copies does not matter", "[paging][copies]") {
  PendingCopies copies;
  CHECK(copies.add(3, 8) == 3);
  CHECK(copies.add(8, 9) == 3);
  CHECK(copies.take() == Copies{{3, 8}, {3, 9}});
}

TEST_CASE("a copy that nobody wants any more is not done", "[paging][copies]") {
  PendingCopies copies;
  (void)copies.add(3, 8), (void)copies.add(4, 9);
  CHECK(copies.cancel(8) == 3);
  CHECK_FALSE(copies.cancel(8));
  CHECK_FALSE(copies.cancel(4));  // a source
  CHECK(copies.take() == Copies{{4, 9}});
}

TEST_CASE("a block that is copied into twice, or is read as well, is a bug", "[paging][copies]") {
  PendingCopies copies;
  (void)copies.add(3, 8);
  CHECK_THROWS_AS(copies.add(4, 8), std::logic_error);
  CHECK_THROWS_AS(copies.add(4, 3), std::logic_error);
}

}  // namespace
}  // namespace stagecraft
