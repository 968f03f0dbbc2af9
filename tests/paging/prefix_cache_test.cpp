/// @file
/// Which chains of blocks are found again, and that a collision of hashes is never taken for a hit.
#include "stages/5_paged_attention/prefix_cache.h"

#include <random>
#include <set>
#include <stdexcept>

#include "tests/catch.h"
#include "tests/paging/requests.h"

namespace stagecraft {
namespace {

constexpr int64_t kBlockSize = 4;

uint64_t all_equal(uint64_t, std::span<const TokenId>) { return 42; }

// 7 -> 2 -> 9 and 7 -> 5, as in the header's picture.
PrefixCache example(PrefixCache::Hash hash = PrefixCache::mixed) {
  PrefixCache cache(kBlockSize, std::move(hash));
  cache.insert(7, kNoParent, text(0, 4));
  cache.insert(2, 7, text(4, 4));
  cache.insert(9, 2, text(8, 4));
  cache.insert(5, 7, text(50, 4));
  cache.check_invariants();
  return cache;
}

TEST_CASE("the longest known chain is found; a block that is not full is not part of it", "[paging][prefix]") {
  const PrefixCache cache = example();
  CHECK(cache.match(text(0, 12)) == Blocks{7, 2, 9});
  CHECK(cache.match(text(0, 100)) == Blocks{7, 2, 9});
  CHECK(cache.match(text(0, 11)) == Blocks{7, 2});
  CHECK(cache.match(text(0, 3)).empty());
  CHECK(cache.match({}).empty());
  CHECK(cache.match(text(0, 4) + text(50, 4) + text(8, 4)) == Blocks{7, 5});
  CHECK(cache.match(text(1, 12)).empty());
}

TEST_CASE("the same tokens after other tokens are another block", "[paging][prefix]") {
  PrefixCache cache = example();
  CHECK(cache.match(text(4, 4)).empty());                                     // block 2 without its parent
  CHECK(cache.match(text(0, 4) + text(50, 4) + text(4, 4)) == Blocks{7, 5});  // block 2 after another parent
  cache.insert(3, 5, text(4, 4));
  CHECK(cache.match(text(0, 4) + text(50, 4) + text(4, 4)) == Blocks{7, 5, 3});
  CHECK(cache.match(text(0, 8)) == Blocks{7, 2});
  cache.check_invariants();
}

TEST_CASE("hash collision: where all hashes are equal, only equal tokens after the same parent are a hit",
          "[paging][prefix]") {
  const PrefixCache cache = example(all_equal);
  CHECK(cache.match(text(0, 12)) == Blocks{7, 2, 9});
  CHECK(cache.match(text(0, 4) + text(50, 4)) == Blocks{7, 5});
  CHECK(cache.match(text(4, 4)).empty());
  CHECK(cache.match(text(0, 4) + text(60, 4)) == Blocks{7});
  Tokens one_differs = text(0, 4);
  one_differs.back() += 1;
  CHECK(cache.match(one_differs).empty());
}

TEST_CASE("a chain is forgotten from its end, and then not found any more", "[paging][prefix]") {
  PrefixCache cache = example(GENERATE(PrefixCache::Hash(PrefixCache::mixed), PrefixCache::Hash(all_equal)));
  CHECK_THROWS_AS(cache.forget(7), std::logic_error);
  CHECK_THROWS_AS(cache.forget(2), std::logic_error);
  cache.forget(9);
  CHECK(cache.match(text(0, 12)) == Blocks{7, 2});
  CHECK_FALSE(cache.knows(9));
  cache.forget(2), cache.forget(5), cache.forget(7);
  CHECK(cache.match(text(0, 12)).empty());
  CHECK(cache.known_blocks() == 0);
  CHECK_THROWS_AS(cache.forget(7), std::logic_error);
  cache.insert(9, kNoParent, text(50, 4));  // the block lives on with another content
  CHECK(cache.match(text(50, 4)) == Blocks{9});
  cache.check_invariants();
}

TEST_CASE("a block is known for one content, and a content in one block", "[paging][prefix]") {
  PrefixCache cache = example();
  CHECK_THROWS_AS(cache.insert(7, kNoParent, text(80, 4)), std::logic_error);
  CHECK_THROWS_AS(cache.insert(1, kNoParent, text(0, 4)), std::logic_error);
  CHECK_THROWS_AS(cache.insert(1, 7, text(80, 3)), std::logic_error);
  CHECK_THROWS_AS(cache.insert(1, 3, text(80, 4)), std::logic_error);  // nobody knows block 3
  cache.check_invariants();
}

TEST_CASE("the hash tells order, place and parent: no collision among thousands of small texts", "[paging][prefix]") {
  std::set<uint64_t> hashes;
  size_t texts = 0;
  for (const uint64_t parent : {0, 1, 2}) {
    for (TokenId a = 0; a < 20; ++a) {
      for (TokenId b = 0; b < 20; ++b) {
        hashes.insert(PrefixCache::mixed(parent, Tokens{a, b}));
        hashes.insert(PrefixCache::mixed(parent, Tokens{a, b, 0}));
        texts += 2;
      }
    }
  }
  CHECK(hashes.size() == texts);
}

TEST_CASE("block sizes 1, 2, 16, 32, 256: prefixes are found in whole blocks", "[paging][prefix]") {
  const int64_t size = GENERATE(1, 2, 16, 32, 256);
  PrefixCache cache(size);
  BlockId parent = kNoParent;
  for (const BlockId block : {4, 0, 8}) {
    cache.insert(block, parent, text(TokenId(1000 * block), size));
    parent = block;
  }
  const Tokens all = text(4000, size) + text(0, size) + text(8000, size);
  for (const int64_t length : {int64_t{0}, size - 1, size, size + 1, 2 * size, 3 * size - 1, 3 * size}) {
    const Tokens part(all.begin(), all.begin() + length);
    CHECK(int64_t(cache.match(part).size()) == length / size);
  }
}

}  // namespace
}  // namespace stagecraft
