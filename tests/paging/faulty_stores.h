#pragma once
/// @file
/// Paged stores with one fault each, of the kinds that real engines had. A fault is put around a good store, so that
/// nothing in the good one has to be open for it.
#include <map>
#include <utility>

#include "tests/paging/requests.h"

namespace stagecraft {

/// Passes everything on.
class StoreAround : public KvStore {
 public:
  explicit StoreAround(PagedKvStore& store) : inner(store) {}

  std::optional<std::string> refusal(int64_t length) const override { return inner.refusal(length); }
  bool reserve(const Request& request, int64_t upto) override { return inner.reserve(request, upto); }
  void truncate(const Request& request, int64_t length) override { inner.truncate(request, length); }
  void release(const Request& request) override { inner.release(request); }
  int64_t reserved(const Request& request) const override { return inner.reserved(request); }
  int64_t slot(const Request& request, int64_t position) const override { return inner.slot(request, position); }
  std::optional<int64_t> block_size() const override { return inner.block_size(); }
  int64_t match_prefix(const Request& request) override { return inner.match_prefix(request); }
  void commit(const Request& request, int64_t length) override { inner.commit(request, length); }
  std::vector<BlockCopy> take_copies() override { return inner.take_copies(); }
  int holders() const override { return inner.holders(); }
  KvUsage usage() const override { return inner.usage(); }
  void check_invariants() const override { inner.check_invariants(); }

 protected:
  /// The slot of `position` if its block were `block`.
  int64_t slot_in(BlockId block, int64_t position) const {
    return block * *inner.block_size() + position % *inner.block_size();
  }

  PagedKvStore& inner;
};

/// To it all tokens are the same: what comes of trusting a hash.
struct AcceptsCollisions : StoreAround {
  using StoreAround::StoreAround;
  static Request blurred(Request request) {
    request.tokens.assign(request.tokens.size(), 0);
    return request;
  }
  int64_t match_prefix(const Request& request) override { return inner.match_prefix(blurred(request)); }
  void commit(const Request& request, int64_t length) override { inner.commit(blurred(request), length); }
};

struct HitsTheLastToken : StoreAround {
  using StoreAround::StoreAround;
  int64_t match_prefix(const Request& request) override {
    Request longer = request;
    longer.tokens.push_back(0);
    return inner.match_prefix(longer);
  }
};

/// Lets others find tokens whose step has only been planned.
struct PublishesTooEarly : StoreAround {
  using StoreAround::StoreAround;
  bool reserve(const Request& request, int64_t upto) override {
    const int64_t copies_before = inner.sharing().copies;
    if (!inner.reserve(request, upto)) return false;
    copies_wait = copies_wait || inner.sharing().copies > copies_before;
    if (!copies_wait) inner.commit(request, std::min(upto, int64_t(request.tokens.size())));
    return true;
  }
  std::vector<BlockCopy> take_copies() override {
    copies_wait = false;
    return inner.take_copies();
  }
  bool copies_wait = false;
};

/// Publishes one token too many: where a guess was wrong, its slot holds the guess.
struct PublishesWrongGuesses : StoreAround {
  using StoreAround::StoreAround;
  void truncate(const Request& request, int64_t length) override {
    if (!request.draft.empty() && inner.reserved(request) > length) inner.commit(request, length + 1);
    inner.truncate(request, length);
  }
};

struct IgnoresTruncate : StoreAround {
  using StoreAround::StoreAround;
  void truncate(const Request&, int64_t) override {}
};

/// Looks up a block once and goes on using what it saw.
struct KeepsStaleTables : StoreAround {
  using StoreAround::StoreAround;
  int64_t slot(const Request& request, int64_t position) const override {
    const int64_t right = inner.slot(request, position);
    const std::pair<int, int64_t> key(request.id, position / *inner.block_size());
    const auto [seen, is_new] = blocks_seen.try_emplace(key, BlockId(right / *inner.block_size()));
    return slot_in(seen->second, position);
  }
  void release(const Request& request) override {
    forget(request, 0);
    inner.release(request);
  }
  void truncate(const Request& request, int64_t length) override {
    forget(request, (length + *inner.block_size() - 1) / *inner.block_size());
    inner.truncate(request, length);
  }
  void forget(const Request& request, int64_t first_block) {
    blocks_seen.erase(blocks_seen.lower_bound({request.id, first_block}), blocks_seen.lower_bound({request.id + 1, 0}));
  }
  mutable std::map<std::pair<int, int64_t>, BlockId> blocks_seen;
};

/// Goes on in a block that others read, instead of in its copy.
struct WritesInPlace : StoreAround {
  using StoreAround::StoreAround;
  bool reserve(const Request& request, int64_t upto) override {
    const Blocks before = table(inner, request);
    if (!inner.reserve(request, upto)) return false;
    const Blocks after = table(inner, request);
    for (size_t i = 0; i < before.size(); ++i) {
      if (before[i] != after[i]) in_place[{request.id, int64_t(i)}] = before[i];
    }
    return true;
  }
  int64_t slot(const Request& request, int64_t position) const override {
    const auto found = in_place.find({request.id, position / *inner.block_size()});
    return found == in_place.end() ? inner.slot(request, position) : slot_in(found->second, position);
  }
  void commit(const Request& request, int64_t length) override {
    inner.commit(request, length);
    in_place.clear();
  }
  std::vector<BlockCopy> take_copies() override {
    (void)inner.take_copies();
    return {};
  }
  std::map<std::pair<int, int64_t>, BlockId> in_place;
};

struct ForgetsCopies : StoreAround {
  using StoreAround::StoreAround;
  std::vector<BlockCopy> take_copies() override {
    (void)inner.take_copies();
    return {};
  }
};

/// Tells of copies when it is too late: their sources have been given to others.
struct CopiesTooLate : StoreAround {
  using StoreAround::StoreAround;
  std::vector<BlockCopy> take_copies() override { return std::exchange(late, inner.take_copies()); }
  std::vector<BlockCopy> late;
};

/// Shares blocks without holding them: they are freed while a live table names them.
struct ForgetsToHold : StoreAround {
  using StoreAround::StoreAround;
  int64_t match_prefix(const Request& request) override {
    const int64_t length = inner.match_prefix(request);
    unheld[request.id] = table(inner, request);
    inner.release(request);
    hits[request.id] = length;
    return length;
  }
  int64_t reserved(const Request& request) const override {
    const auto hit = hits.find(request.id);
    return std::max(inner.reserved(request), hit == hits.end() ? 0 : hit->second);
  }
  int64_t slot(const Request& request, int64_t position) const override {
    const auto hit = hits.find(request.id);
    if (hit == hits.end() || position >= hit->second) return inner.slot(request, position);
    return slot_in(unheld.at(request.id)[size_t(position / *inner.block_size())], position);
  }
  void truncate(const Request& request, int64_t length) override {
    if (hits.count(request.id)) hits[request.id] = std::min(hits[request.id], length);
    inner.truncate(request, length);
  }
  void release(const Request& request) override {
    hits.erase(request.id);
    inner.release(request);
  }
  std::map<int, Blocks> unheld;
  std::map<int, int64_t> hits;
};

/// Every eighth request takes its blocks with it.
struct Leaks : StoreAround {
  using StoreAround::StoreAround;
  void release(const Request& request) override {
    if (request.id % 8 != 7) inner.release(request);
  }
};

/// Gives back what a sample shares once more, in the name of the one that it is a sample of.
struct FreesTwice : StoreAround {
  using StoreAround::StoreAround;
  void release(const Request& request) override {
    inner.release(request);
    if (request.sample_of) inner.release(request_of(*request.sample_of));
  }
};

/// Keeps a block's number in 16 bits.
struct ShortBlockIds : StoreAround {
  using StoreAround::StoreAround;
  int64_t slot(const Request& request, int64_t position) const override {
    const int64_t block = inner.slot(request, position) / *inner.block_size();
    return slot_in(BlockId(uint16_t(block)), position);
  }
};

}  // namespace stagecraft
