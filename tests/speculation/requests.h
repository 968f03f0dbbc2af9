#pragma once
/// @file
/// What the tests of drafters share: requests by their tokens, and asking a drafter about them.
#include <initializer_list>
#include <ostream>
#include <string>
#include <vector>

#include "kernels/check.h"
#include "stages/6_speculative_decoding/drafter.h"

namespace stagecraft::testing {

using Tokens = std::vector<TokenId>;

/// A request that has come to `tokens`; all of them count as its prompt, and a thousand more may follow.
inline Request request_of(Tokens tokens, int id = 0) {
  Request request;
  request.id = id;
  request.prompt_tokens = int64_t(tokens.size());
  request.tokens = std::move(tokens);
  request.max_tokens = 1000;
  return request;
}

/// The draft for one request.
inline Draft draft_of(Drafter& drafter, const Request& request, int length) {
  const Request* const requests[] = {&request};
  const int lengths[] = {length};
  std::vector<Draft> drafts = drafter.propose(requests, lengths);
  check(drafts.size() == 1, "one draft for one request");
  return std::move(drafts.front());
}

/// The same, only its tokens.
inline Tokens drafted(Drafter& drafter, const Request& request, int length) {
  return draft_of(drafter, request, length).tokens;
}

/// Message and hint of the BadInput that `call` throws; empty if it throws none.
template <class Call>
std::string complaint_of(const Call& call) {
  try {
    call();
  } catch (const BadInput& error) {
    return std::string(error.what()) + " | " + error.hint();
  }
  return "";
}

}  // namespace stagecraft::testing
