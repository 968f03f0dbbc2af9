/// @file
/// Right tokens, and wrong ones: the right one's neighbour.
#include "stages/6_speculative_decoding/scripted_drafter.h"

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/random_stream.h"

namespace stagecraft {

ScriptedDrafter::ScriptedDrafter(const Script& script, TrueTokens truth, int64_t vocabulary)
    : script_(script), truth_(std::move(truth)), vocabulary_(vocabulary) {
  if (vocabulary < 2) throw BadInput("a vocabulary of one token has no wrong ones", "2 is the smallest that works");
  if (script.right < 0) {
    throw BadInput(fmt::format("a draft cannot begin with {} right tokens", script.right), "0 drafts only wrong ones");
  }
}

std::string ScriptedDrafter::describe() const {
  switch (script_.kind) {
    case Script::Kind::oracle:
      return "script: always right";
    case Script::Kind::always_wrong:
      return "script: always wrong";
    case Script::Kind::accept_first:
      return fmt::format("script: {} right, then wrong", script_.right);
    case Script::Kind::random:
      return "script: random ids";
    case Script::Kind::empty:
      return "script: no drafts";
  }
  return "unknown script";
}

std::vector<Draft> ScriptedDrafter::propose(std::span<const Request* const> requests, std::span<const int> lengths) {
  std::vector<Draft> drafts;
  for (size_t i = 0; i < requests.size(); ++i) {
    drafts.push_back(script_.kind == Script::Kind::random ? random_draft(*requests[i], lengths[i])
                                                          : draft_for(*requests[i], lengths[i]));
  }
  return drafts;
}

bool ScriptedDrafter::is_right(int index) const {
  if (script_.kind == Script::Kind::accept_first) return index < script_.right;
  return script_.kind == Script::Kind::oracle;
}

Draft ScriptedDrafter::draft_for(const Request& request, int length) const {
  Draft draft;
  const auto known = truth_.find(request.id);
  if (script_.kind == Script::Kind::empty || known == truth_.end()) return draft;
  const size_t first = request.tokens.size();
  for (int i = 0; i < length && first + size_t(i) < known->second.size(); ++i) {
    const TokenId right = known->second[first + size_t(i)];
    draft.tokens.push_back(is_right(i) ? right : TokenId((int64_t(right) + 1) % vocabulary_));
  }
  return draft;
}

// A stream of its own for each place in each text: the same draft whenever it is asked for.
Draft ScriptedDrafter::random_draft(const Request& request, int length) const {
  RandomStream random(script_.seed, uint64_t(request.id) << 32 | request.tokens.size());
  Draft draft;
  for (int i = 0; i < length; ++i) draft.tokens.push_back(TokenId(random.below(uint32_t(vocabulary_))));
  return draft;
}

}  // namespace stagecraft
