#pragma once
/// @file
/// Requests, texts and seeds for the tests of paging.
#include <cstdlib>
#include <numeric>
#include <vector>

#include "stages/5_paged_attention/paged_kv_store.h"

namespace stagecraft {

using Tokens = std::vector<TokenId>;
using Blocks = std::vector<BlockId>;

inline Request request_of(int id, Tokens tokens = {}) {
  Request request;
  request.id = id;
  request.prompt_tokens = int64_t(tokens.size());
  request.max_tokens = 1;
  request.tokens = std::move(tokens);
  return request;
}

/// For random runs. Another one: STAGECRAFT_SEED=7 test_paging
inline uint64_t base_seed() {
  const char* const given = std::getenv("STAGECRAFT_SEED");
  return given ? std::strtoull(given, nullptr, 10) : 1;
}

/// `count` tokens that follow each other: 100, 101, ... for `first` 100.
inline Tokens text(TokenId first, int64_t count) {
  Tokens tokens(size_t(count), 0);
  std::iota(tokens.begin(), tokens.end(), first);
  return tokens;
}

inline Tokens operator+(Tokens a, const Tokens& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline Blocks table(const PagedKvStore& store, const Request& request) {
  const auto blocks = store.block_table(request);
  return {blocks.begin(), blocks.end()};
}

/// One step that stores all of the request's tokens. False: there was no room.
inline bool store_all(PagedKvStore& store, const Request& request) {
  const int64_t length = int64_t(request.tokens.size());
  if (!store.reserve(request, length)) return false;
  (void)store.take_copies();
  store.commit(request, length);
  store.check_invariants();
  return true;
}

}  // namespace stagecraft
