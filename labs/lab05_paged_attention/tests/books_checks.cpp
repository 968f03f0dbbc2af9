/// @file
/// Lab 5, task 6: the learner's test sees right books and broken ones.
#include <algorithm>
#include <functional>

#include "labs/support/check.h"

namespace {

using stagecraft::labs::Check;
using stagecraft::labs::Message;
using Numbers = std::vector<int64_t>;

struct Books {
  int64_t blocks = 0;
  std::vector<Numbers> tables = {};
  Numbers references = {}, free = {}, cached = {};
};

/// Right books of a pool in which tables share their first blocks, as prefixes do.
Books right_books(Check& check, int64_t blocks) {
  Numbers order;
  for (int64_t block = 0; block < blocks; ++block) {
    order.insert(order.begin() + check.random().below(uint32_t(order.size() + 1)), block);
  }
  Books books{.blocks = blocks, .references = Numbers(size_t(blocks), 0)};
  const auto next = [&] {
    const int64_t block = order.back();
    order.pop_back();
    return block;
  };
  for (int table = 0; table < 3; ++table) {
    Numbers mine;
    if (table > 0) mine.assign(books.tables[0].begin(), books.tables[0].begin() + 1 + check.random().below(2));
    for (int64_t own = 0; own < blocks / 6; ++own) mine.push_back(next());
    for (const int64_t block : mine) ++books.references[size_t(block)];
    books.tables.push_back(mine);
  }
  while (!order.empty()) (order.size() % 2 ? books.free : books.cached).push_back(next());
  return books;
}

std::string fault_in(Check& check, const Books& books) {
  Numbers tables;
  for (const Numbers& table : books.tables) {
    tables.push_back(int64_t(table.size()));
    tables.insert(tables.end(), table.begin(), table.end());
  }
  return check
      .call(Message("fault_in")
                .set("blocks", books.blocks)
                .set("tables", tables)
                .set("references", books.references)
                .set("free", books.free)
                .set("cached", books.cached))
      .text("fault");
}

struct Fault {
  const char* what;
  std::function<void(Books&)> put;
};

/// Right books are not blamed, and each fault is found.
void expect_found(Check& check, const std::vector<Fault>& faults) {
  for (const int64_t blocks : check.sizes({12, 31, 32, 33})) {
    const Books right = right_books(check, blocks);
    check.input("books of a pool of {} blocks: 3 tables that share their beginnings, {} free, {} cached", blocks,
                right.free.size(), right.cached.size());
    check.step("fault_in(right books)");
    const std::string blamed = fault_in(check, right);
    check.expect(blamed.empty(), "\"\": these books are right", "\"" + blamed + "\"");
    for (const Fault& fault : faults) {
      Books broken = right;
      fault.put(broken);
      check.step("fault_in(the same books, but {})", fault.what);
      check.expect(!fault_in(check, broken).empty(), std::string("some text: ") + fault.what, "\"\"");
    }
  }
}

}  // namespace

LAB_CHECK("lab05.t6.c1") {
  expect_found(
      check,
      {{"a table names a block that is free, too",
        [](Books& books) {
          books.tables[1].push_back(books.free.back());
          ++books.references[size_t(books.free.back())];
        }},
       {"a table names a block that is cached, too",
        [](Books& books) {
          books.tables[2].push_back(books.cached.front());
          ++books.references[size_t(books.cached.front())];
        }},
       {"a block of two tables is free, too", [](Books& books) { books.free.push_back(books.tables[0].front()); }},
       {"a table names block -1", [](Books& books) { books.tables[0].push_back(-1); }},
       {"a table names a block behind the last", [](Books& books) { books.tables[0].push_back(books.blocks); }}});
}

LAB_CHECK("lab05.t6.c2") {
  expect_found(
      check,
      {{"a held block has one reference too many",
        [](Books& books) { ++books.references[size_t(books.tables[1].back())]; }},
       {"a shared block has one reference too few",
        [](Books& books) { --books.references[size_t(books.tables[0].front())]; }},
       {"a free block has a reference", [](Books& books) { books.references[size_t(books.free.front())] = 1; }},
       {"a cached block has a reference", [](Books& books) { books.references[size_t(books.cached.front())] = 1; }}});
}

LAB_CHECK("lab05.t6.c3") {
  expect_found(check,
               {{"a free block is lost", [](Books& books) { books.free.pop_back(); }},
                {"a cached block is lost", [](Books& books) { books.cached.erase(books.cached.begin()); }},
                {"a block is free twice", [](Books& books) { books.free.push_back(books.free.front()); }},
                {"a block is free and cached", [](Books& books) { books.cached.push_back(books.free.front()); }},
                {"a held block is lost: its table is gone, its reference, too, and it is in no list",
                 [](Books& books) {
                   books.references[size_t(books.tables[1].back())] = 0;
                   books.tables[1].pop_back();
                 }},
                {"a list names a block behind the last", [](Books& books) { books.free.push_back(books.blocks); }}});
}
