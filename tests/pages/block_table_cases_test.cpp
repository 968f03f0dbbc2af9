/// @file
/// Histories of the real KV store for the page of the block table: after each verb, all that can be seen of the store.
#include <map>

#include "stages/5_paged_attention/paged_kv_store.h"
#include "tests/pages/cases_file.h"

namespace stagecraft::testing {
namespace {

constexpr int kHistories = 60, kVerbs = 60;

/// A store, the requests that it holds, and what has been done to it.
class History {
 public:
  explicit History(Dice& dice)
      : dice_(dice),
        shape_{.blocks = dice.between(4, 24),
               .block_size = int64_t{1} << dice.between(0, 3),
               .bytes_per_token = 1,
               .prefix_cache = !dice.one_in(4)},
        store_(shape_) {}

  json play() {
    json steps = json::array();
    for (int i = 0; i < kVerbs; ++i) {
      json verb = act();
      store_.check_invariants();
      verb["after"] = state();
      steps.push_back(std::move(verb));
    }
    return {{"blocks", shape_.blocks},
            {"blockSize", shape_.block_size},
            {"prefixCache", shape_.prefix_cache},
            {"steps", steps}};
  }

 private:
  json act() {
    if (requests_.empty()) return begin();
    switch (dice_.between(0, 7)) {
      case 0:
      case 1:
        return begin();
      case 2:
        return fork();
      case 3:
        return truncate();
      case 4:
        return release();
      default:
        return write();
    }
  }

  // Two words only, so that beginnings are often the same.
  void append(Request& request, int64_t count) {
    for (int64_t i = 0; i < count; ++i) request.tokens.push_back(TokenId(dice_.between(0, 1)));
  }

  Request& any() { return std::next(requests_.begin(), dice_.between(0, int64_t(requests_.size()) - 1))->second; }

  json begin() {
    Request& request = requests_[next_id_];
    request.id = next_id_++;
    append(request, dice_.between(1, 3 * shape_.block_size + 2));
    const int64_t found = store_.match_prefix(request);
    json verb = {{"verb", "begin"}, {"id", request.id}, {"tokens", request.tokens}, {"found", found}};
    return stored(std::move(verb), request);
  }

  json write() {
    Request& request = any();
    append(request, dice_.between(1, shape_.block_size + 1));
    return stored({{"verb", "write"}, {"id", request.id}, {"tokens", request.tokens}}, request);
  }

  json fork() {
    const Request& parent = any();
    const int64_t length = dice_.between(1, int64_t(parent.tokens.size()));
    Request& child = requests_[next_id_];
    child.id = next_id_++;
    child.tokens.assign(parent.tokens.begin(), parent.tokens.begin() + length);
    store_.fork(parent, child, length);
    return {{"verb", "fork"}, {"id", child.id}, {"parent", parent.id}, {"length", length}};
  }

  json truncate() {
    Request& request = any();
    const int64_t length = dice_.between(0, int64_t(request.tokens.size()));
    store_.truncate(request, length);
    json verb = {{"verb", "truncate"}, {"id", request.id}, {"length", length}};
    request.tokens.resize(size_t(length));
    if (length == 0) requests_.erase(request.id);
    return verb;
  }

  json release() {
    const int id = any().id;
    store_.release(requests_.at(id));
    requests_.erase(id);
    return {{"verb", "release"}, {"id", id}};
  }

  // A step that stores all tokens; a request that finds no room is given up.
  json stored(json verb, Request& request) {
    const int64_t length = int64_t(request.tokens.size());
    const bool room = store_.reserve(request, length);
    verb["room"] = room;
    if (!room) {
      store_.release(request);
      requests_.erase(request.id);
      return verb;
    }
    json copies = json::array();
    for (const BlockCopy& copy : store_.take_copies()) copies.push_back({{"from", copy.from}, {"to", copy.to}});
    verb["copies"] = copies;
    store_.commit(request, length);
    return verb;
  }

  json state() const {
    json tables = json::object();
    for (const auto& [id, request] : requests_) {
      const auto blocks = store_.block_table(request);
      tables[std::to_string(id)] = {{"blocks", std::vector<BlockId>(blocks.begin(), blocks.end())},
                                    {"reserved", store_.reserved(request)}};
    }
    const SharingCounts& counts = store_.sharing();
    const KvUsage usage = store_.usage();
    return {{"tables", tables},
            {"owners", owners()},
            {"free", store_.free_blocks()},
            {"cached", store_.cached_blocks()},
            {"reserved", usage.reserved_bytes},  // a token is a byte here
            {"used", usage.used_bytes},
            {"counts",
             {{"lookups", counts.lookups},
              {"hitTokens", counts.hit_tokens},
              {"copies", counts.copies},
              {"evictions", counts.evictions}}}};
  }

  json owners() const {
    json names = json::array();
    for (const int32_t owner : store_.owners()) {
      if (owner == BlockMap::kFree) {
        names.push_back("free");
      } else if (owner == BlockMap::kCached) {
        names.push_back("cached");
      } else if (owner == BlockMap::kShared) {
        names.push_back("shared");
      } else {
        names.push_back(owner);
      }
    }
    return names;
  }

  Dice& dice_;
  PagedKvShape shape_;
  PagedKvStore store_;
  std::map<int, Request> requests_;
  int next_id_ = 0;
};

}  // namespace

TEST_CASE("histories of the real KV store are written for the page of the block table") {
  Dice dice(3);
  json histories = json::array();
  for (int i = 0; i < kHistories; ++i) histories.push_back(History(dice).play());
  write_cases("block_table", {{"histories", histories}});
}

}  // namespace stagecraft::testing
