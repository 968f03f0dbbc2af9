/// @file
/// Lab 6: which part of each draft is right, and what the cache forgets of the rest.
#include <algorithm>
#include <numeric>

#include "labs/support/check.h"

namespace {

using stagecraft::labs::Check;
using stagecraft::labs::Message;
using Integers = std::vector<int64_t>;

// Verify.

constexpr int64_t kVocabulary = 100000;
constexpr int64_t kSectorBytes = 32, kTokenBytes = 4;

/// Drafts with a known right prefix. Behind the first wrong guess some are right again, and the last row, which has no
/// guess, holds what was drawn: both are traps.
struct Drafts {
  Integers drawn, draft, row_start{0}, right;

  void add(Check& check, int64_t drafted, int64_t right_ones) {
    for (int64_t i = 0; i <= drafted; ++i) {
      const int64_t token = check.random().below(kVocabulary);
      const bool wrong = i == right_ones && i < drafted;
      const bool any = i > right_ones && check.random().below(2) == 0;
      drawn.push_back(token);
      draft.push_back(wrong ? token ^ (int64_t{1} << check.random().below(16)) : any ? (token + 1) : token);
    }
    row_start.push_back(int64_t(drawn.size()));
    right.push_back(right_ones);
  }
};

Drafts random_drafts(Check& check, int64_t requests) {
  constexpr int64_t kLengths[] = {0, 1, 2, 4, 31, 32, 33, 63, 64, 65, 129};
  Drafts drafts;
  for (int64_t request = 0; request < requests; ++request) {
    const int64_t drafted = kLengths[check.random().below(uint32_t(std::size(kLengths)))];
    const bool all = check.random().below(3) == 0;
    drafts.add(check, drafted, all ? drafted : check.random().below(uint32_t(drafted) + 1));
  }
  return drafts;
}

Message verify(Check& check, const Drafts& drafts) {
  const size_t requests = drafts.right.size();
  check.input("{} requests, {} rows; the first has a draft of {}, {} of it right", requests, drafts.drawn.size(),
              drafts.row_start[1] - 1, drafts.right[0]);
  check.step("verify(drawn, draft, row_start, accepted, {})", requests);
  return check.call(
      Message("verify").set("drawn", drafts.drawn).set("draft", drafts.draft).set("row_start", drafts.row_start));
}

// Truncate.

struct CacheCase {
  int64_t block_size;
  Integers references, free, blocks;
  int64_t stored, length;

  int64_t room() const { return int64_t(blocks.size()) * block_size; }
};

/// A table of `held` blocks among others; some of its blocks are in other tables, too.
CacheCase random_cache(Check& check, int64_t block_size, int64_t held) {
  constexpr int64_t kBlocks = 48;
  CacheCase one;
  one.block_size = block_size;
  one.references.assign(kBlocks, 0);
  Integers ids(kBlocks);
  std::iota(ids.begin(), ids.end(), int64_t{0});
  for (size_t i = ids.size() - 1; i > 0; --i) std::swap(ids[i], ids[size_t(check.random().below(uint32_t(i) + 1))]);
  for (int64_t i = 0; i < kBlocks; ++i) {
    const int64_t block = ids[size_t(i)];
    int64_t& references = one.references[size_t(block)];
    if (i < held) {
      one.blocks.push_back(block);
      references = 1 + check.random().below(3) / 2 * (1 + check.random().below(2));
    } else if (check.random().below(2) == 0) {
      references = 1;
    } else {
      one.free.push_back(block);
    }
  }
  one.stored = one.room() - (held > 0 ? check.random().below(uint32_t(block_size)) : 0);
  one.length = 0;
  return one;
}

CacheCase truncated(const CacheCase& before) {
  CacheCase after = before;
  const int64_t needed = (before.length + before.block_size - 1) / before.block_size;
  after.blocks.resize(size_t(needed));
  for (size_t i = size_t(needed); i < before.blocks.size(); ++i) {
    if (--after.references[size_t(before.blocks[i])] == 0) after.free.push_back(before.blocks[i]);
  }
  after.stored = std::min(before.stored, before.length);
  return after;
}

/// How many of the table's blocks are in other tables, too.
int64_t shared(const CacheCase& one) {
  return std::count_if(one.blocks.begin(), one.blocks.end(),
                       [&](int64_t block) { return one.references[size_t(block)] > 1; });
}

Integers sorted(Integers values) {
  std::sort(values.begin(), values.end());
  return values;
}

Message truncate(Check& check, const CacheCase& one) {
  check.input("blocks of {}; the table holds {} of them, {} of these in other tables, too; {} positions are stored",
              one.block_size, one.blocks.size(), shared(one), one.stored);
  check.step("truncate(table, pool, {})", one.length);
  return check.call(Message("truncate")
                        .set("block_size", one.block_size)
                        .set("references", one.references)
                        .set("free", one.free)
                        .set("table", one.blocks)
                        .set("stored", one.stored)
                        .set("length", one.length));
}

/// Tables and lengths around the edges of blocks.
template <class Try>
void try_lengths(Check& check, Try attempt) {
  for (const int64_t block_size : check.sizes({1, 4, 16, 33})) {
    for (const int64_t held : {1, 2, 9}) {
      const int64_t room = held * block_size;
      for (const int64_t length : {room, room - 1, room / 2, block_size, block_size - 1, block_size + 1, int64_t{0}}) {
        CacheCase one = random_cache(check, block_size, held);
        one.length = std::min(length, room);
        attempt(one);
      }
    }
  }
}

void expect_unchanged(Check& check, const CacheCase& one, const Message& answer) {
  check.expect(answer.integer("refused") == 1, "std::out_of_range", "it was accepted");
  check.expect_equal("blocks", one.blocks, answer.integers("table"));
  check.expect_equal("references", one.references, answer.integers("references"));
  check.expect_equal("free", sorted(one.free), sorted(answer.integers("free")));
  check.expect_equal("stored", one.stored, answer.integer("stored"));
}

}  // namespace

LAB_CHECK("lab06.t1.c1") {
  for (const int64_t requests : check.sizes({1, 5, 31, 32, 33})) {
    const Drafts drafts = random_drafts(check, requests);
    check.expect_equal("accepted", drafts.right, verify(check, drafts).integers("accepted"));
  }
}

LAB_CHECK("lab06.t1.c2") {
  for (const int64_t requests : check.sizes({1, 3, 33})) {
    const Drafts drafts = random_drafts(check, requests);
    const Message answer = verify(check, drafts);
    check.expect_no_findings(answer);
    check.expect_equal("accepted", drafts.right, answer.integers("accepted"));
  }
}

LAB_CHECK("lab06.t1.c3") {
  constexpr int64_t kRequests = 8, kDrafted = 127, kSectorsARequest = 8;
  Drafts drafts;
  for (int64_t i = 1; i < kRequests; ++i) drafts.add(check, kDrafted, kDrafted);
  drafts.add(check, kDrafted, check.random().below(kDrafted));
  const Message answer = verify(check, drafts);
  check.expect_equal("accepted", drafts.right, answer.integers("accepted"));
  check.step("the simulator counts the sectors that loads move");
  const int64_t bytes = 2 * int64_t(drafts.drawn.size()) * kTokenBytes;
  check.expect_at_most("sectors moved by loads", bytes * 5 / 4 / kSectorBytes + kRequests * kSectorsARequest,
                       answer.integer("global_load.moved"));
}

LAB_CHECK("lab06.t2.c1") {
  try_lengths(check, [&](const CacheCase& one) {
    check.expect_equal("blocks", truncated(one).blocks, truncate(check, one).integers("table"));
  });
}

LAB_CHECK("lab06.t2.c2") {
  try_lengths(check, [&](const CacheCase& one) {
    const Message answer = truncate(check, one);
    const CacheCase after = truncated(one);
    for (const int64_t block : answer.integers("free")) {
      const bool held = block >= 0 && block < int64_t(after.references.size()) && after.references[size_t(block)] > 0;
      check.expect(!held, fmt::format("block {} is not free: a table still holds it", block),
                   "it is among the free ones");
    }
    check.expect_equal("references", after.references, answer.integers("references"));
    check.expect_equal("free blocks, sorted,", sorted(after.free), sorted(answer.integers("free")));
  });
}

LAB_CHECK("lab06.t2.c3") {
  try_lengths(check, [&](CacheCase one) {
    for (const int64_t stored : {one.stored, one.length, one.length / 2}) {
      one.stored = stored;
      check.expect_equal("stored", std::min(stored, one.length), truncate(check, one).integer("stored"));
    }
  });
}

LAB_CHECK("lab06.t2.c4") {
  for (const int64_t held : {0, 1, 5}) {
    CacheCase one = random_cache(check, 8, held);
    for (const int64_t beyond : {int64_t{1}, int64_t{8}, int64_t{1} << 40}) {
      one.length = one.room() + beyond;
      expect_unchanged(check, one, truncate(check, one));
      one.length = -beyond;
      expect_unchanged(check, one, truncate(check, one));
    }
    one.length = one.room() / 2;
    const Message answer = truncate(check, one);
    check.expect(answer.integer("refused") == 0, "a length inside of the blocks is no error", "it was refused");
    check.expect_equal("blocks", truncated(one).blocks, answer.integers("table"));
  }
}

LAB_QUESTION("lab06.q2") {
  CacheCase one = random_cache(check, 16, 4);
  one.references.assign(one.references.size(), 1);
  one.stored = 46 + 1 + 8;
  one.length = 46 + 1 + 1;
  return double(truncate(check, one).integers("free").size() - one.free.size());
}
