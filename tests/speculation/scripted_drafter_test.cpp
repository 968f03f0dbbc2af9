/// @file
/// Right and wrong on purpose, and what the verifier makes of it.
#include "stages/6_speculative_decoding/scripted_drafter.h"

#include "stages/6_speculative_decoding/verification.h"
#include "tests/catch.h"
#include "tests/speculation/requests.h"

namespace stagecraft {
namespace {

using testing::complaint_of;
using testing::drafted;
using testing::request_of;
using testing::Tokens;

constexpr int64_t kVocabulary = 50;
const Tokens kTruth{3, 1, 49, 4, 0, 7, 20};

ScriptedDrafter scripted(const Script& script) { return {script, TrueTokens{{0, kTruth}}, kVocabulary}; }

/// Tokens of `draft` that are right after `known` tokens.
size_t right_of(const Tokens& draft, size_t known) {
  Tokens drawn(kTruth.begin() + std::ptrdiff_t(known), kTruth.end());
  drawn.resize(draft.size() + 1, -5);
  return verify_by_match(draft, drawn).accepted;
}

TEST_CASE("oracle: all right, up to the end of what is known", "[scripted]") {
  ScriptedDrafter drafter = scripted({});
  CHECK(drafted(drafter, request_of({3, 1}), 3) == Tokens{49, 4, 0});
  CHECK(drafted(drafter, request_of({3, 1, 49, 4, 0}), 8) == Tokens{7, 20});
  CHECK(drafted(drafter, request_of(kTruth), 8).empty());
  CHECK(drafted(drafter, request_of({3, 1}), 0).empty());
  CHECK(drafted(drafter, request_of({3, 1}, 5), 4).empty());  // nobody knows how this one goes on
}

TEST_CASE("always wrong: no token is right, and all are ids", "[scripted]") {
  ScriptedDrafter drafter = scripted({.kind = Script::Kind::always_wrong});
  for (size_t known = 0; known < kTruth.size(); ++known) {
    const Tokens draft = drafted(drafter, request_of({kTruth.begin(), kTruth.begin() + std::ptrdiff_t(known)}), 4);
    REQUIRE(draft.size() == std::min<size_t>(4, kTruth.size() - known));
    for (size_t i = 0; i < draft.size(); ++i) CHECK(draft[i] != kTruth[known + i]);
    CHECK(usable_prefix({draft, {}}, kVocabulary) == draft.size());  // 49 + 1 is no id: it becomes 0
  }
}

TEST_CASE("accept-first: so many are right and no more", "[scripted]") {
  for (const int right : {0, 1, 2, 3, 9}) {
    ScriptedDrafter drafter = scripted({.kind = Script::Kind::accept_first, .right = right});
    CHECK(right_of(drafted(drafter, request_of({3}), 3), 1) == size_t(std::min(right, 3)));
  }
}

TEST_CASE("random: ids of the vocabulary, the same whenever it is asked", "[scripted]") {
  ScriptedDrafter drafter = scripted({.kind = Script::Kind::random, .seed = 11});
  const Tokens draft = drafted(drafter, request_of({3, 1}, 4), 40);
  REQUIRE(draft.size() == 40);
  CHECK(usable_prefix({draft, {}}, kVocabulary) == 40);
  CHECK(drafted(drafter, request_of({3, 1}, 4), 40) == draft);
  CHECK(drafted(drafter, request_of({3, 1}, 5), 40) != draft);
  CHECK(drafted(drafter, request_of({3, 1, 9}, 4), 40) != draft);
  ScriptedDrafter other = scripted({.kind = Script::Kind::random, .seed = 12});
  CHECK(drafted(other, request_of({3, 1}, 4), 40) != draft);
}

TEST_CASE("empty: no drafts", "[scripted]") {
  ScriptedDrafter drafter = scripted({.kind = Script::Kind::empty});
  CHECK(drafted(drafter, request_of({3, 1}), 4).empty());
}

TEST_CASE("scripts that cannot be played are refused", "[scripted]") {
  CHECK(complaint_of([] { ScriptedDrafter({}, {}, 1); }) ==
        "a vocabulary of one token has no wrong ones | 2 is the smallest that works");
  CHECK(complaint_of([] { ScriptedDrafter({.kind = Script::Kind::accept_first, .right = -1}, {}, 9); }) ==
        "a draft cannot begin with -1 right tokens | 0 drafts only wrong ones");
}

}  // namespace
}  // namespace stagecraft
