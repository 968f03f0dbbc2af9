/// @file
/// A drafter may throw, lie and babble: drafts are offers, and what is wrong with them is cut off and counted.
#include "stages/6_speculative_decoding/guarded_drafter.h"

#include <stdexcept>

#include "tests/catch.h"
#include "tests/speculation/requests.h"

namespace stagecraft {
namespace {

using testing::draft_of;
using testing::drafted;
using testing::request_of;
using testing::Tokens;

constexpr int64_t kVocabulary = 10;

/// Does in propose what a test tells it to.
class Puppet final : public Drafter {
 public:
  std::vector<Draft> propose(std::span<const Request* const> requests, std::span<const int>) override {
    ++asked;
    if (act) act();
    return std::vector<Draft>(requests.size() + extra_drafts, draft);
  }
  void forget(const Request& request) override {
    forgotten.push_back(request.id);
    if (forget_throws) throw std::runtime_error("cannot forget");
  }
  std::string describe() const override { return "puppet"; }

  Draft draft;
  std::function<void()> act;
  size_t extra_drafts = 0;
  bool forget_throws = false;
  int asked = 0;
  std::vector<int> forgotten;
};

Draft drawn(Tokens tokens, std::vector<Distribution> from) { return {std::move(tokens), std::move(from)}; }

Distribution even(std::vector<TokenId> ids) {
  std::vector<Distribution::Part> parts;
  for (const TokenId id : ids) parts.push_back({id, 1.0});
  return Distribution::proportional_to(parts);
}

TEST_CASE("a draft ends at the first id outside the target's vocabulary", "[guard]") {
  CHECK(usable_prefix({{0, 9, 4}, {}}, kVocabulary) == 3);
  CHECK(usable_prefix({{0, 9, 10, 4}, {}}, kVocabulary) == 2);
  CHECK(usable_prefix({{-1, 9}, {}}, kVocabulary) == 0);
  CHECK(usable_prefix({{2, 1 << 30}, {}}, kVocabulary) == 1);
  CHECK(usable_prefix({}, kVocabulary) == 0);
}

TEST_CASE("a random draft ends where a token outside could have been drawn, not where it was", "[guard]") {
  const Distribution inside = even({1, 2}), leaving = even({3, 10});
  CHECK(usable_prefix(drawn({1, 2}, {inside, inside}), kVocabulary) == 2);
  CHECK(usable_prefix(drawn({1, 3, 2}, {inside, leaving, inside}), kVocabulary) == 1);
  CHECK(usable_prefix(drawn({10}, {leaving}), kVocabulary) == 0);
  CHECK(usable_prefix(drawn({4}, {even({-1, 4})}), kVocabulary) == 0);
}

TEST_CASE("tokens and distributions that do not belong together are no draft", "[guard]") {
  CHECK(usable_prefix(drawn({1, 2}, {even({1, 2})}), kVocabulary) == 0);             // one is missing
  CHECK(usable_prefix(drawn({1, 5}, {even({1}), even({1, 2})}), kVocabulary) == 0);  // 5 cannot have been drawn
}

TEST_CASE("the guard cuts what is too long or unusable, distributions with it", "[guard]") {
  Puppet puppet;
  GuardedDrafter guard(puppet, kVocabulary);
  puppet.draft = {{1, 2, 3}, {}};
  CHECK(drafted(guard, request_of({1}), 3) == Tokens{1, 2, 3});
  CHECK_FALSE(guard.complaint());
  CHECK(drafted(guard, request_of({1}), 2) == Tokens{1, 2});
  CHECK(guard.faults().tokens_cut == 1);
  puppet.draft = drawn({1, 3, 2}, {even({1, 2}), even({3, 10}), even({2})});
  const Draft draft = draft_of(guard, request_of({1}), 3);
  CHECK(draft.tokens == Tokens{1});
  CHECK(draft.drawn_from.size() == 1);
  CHECK(guard.faults().tokens_cut == 3);
  CHECK(guard.complaint() == "3 drafted tokens were cut off: outside the target's vocabulary, or more than wanted");
}

TEST_CASE("a drafter that throws costs a step its drafts and nothing else", "[guard]") {
  Puppet puppet;
  puppet.draft = {{4}, {}};
  puppet.act = [] { throw std::runtime_error("out of ideas"); };
  GuardedDrafter guard(puppet, kVocabulary);
  const Request a = request_of({1}, 3), b = request_of({1}, 8);
  const Request* const requests[] = {&a, &b};
  const int lengths[] = {2, 2};
  const std::vector<Draft> drafts = guard.propose(requests, lengths);
  REQUIRE(drafts.size() == 2);
  CHECK((drafts[0].tokens.empty() && drafts[1].tokens.empty()));
  CHECK(puppet.forgotten == std::vector<int>{3, 8});  // it starts afresh
  CHECK(guard.faults().failures == 1);
  CHECK(guard.complaint() == "the drafter failed 1 times: out of ideas");

  puppet.act = nullptr;
  CHECK(drafted(guard, a, 2) == Tokens{4});  // the next step has drafts again
}

TEST_CASE("whatever is thrown, also what is no exception", "[guard]") {
  Puppet puppet;
  puppet.act = [] { throw 42; };
  GuardedDrafter guard(puppet, kVocabulary);
  CHECK(drafted(guard, request_of({1}), 2).empty());
  CHECK(guard.complaint() == "the drafter failed 1 times: it threw something that is no std::exception");
}

TEST_CASE("drafts for other requests than were asked about are a failure", "[guard]") {
  Puppet puppet;
  puppet.draft = {{4}, {}};
  puppet.extra_drafts = 1;
  GuardedDrafter guard(puppet, kVocabulary);
  CHECK(drafted(guard, request_of({1}), 2).empty());
  CHECK(guard.faults().first_failure == "it made 2 drafts for 1 requests");
}

TEST_CASE("after three failures in a row it is not asked again", "[guard]") {
  Puppet puppet;
  puppet.draft = {{4}, {}};
  GuardedDrafter guard(puppet, kVocabulary);
  const auto fail = [&] {
    puppet.act = [] { throw std::runtime_error("broken"); };
    drafted(guard, request_of({1}), 1);
  };
  fail(), fail();
  puppet.act = nullptr;
  CHECK(drafted(guard, request_of({1}), 1) == Tokens{4});  // good again: counted from the beginning
  fail(), fail();
  CHECK_FALSE(guard.gave_up());
  fail();
  CHECK(guard.gave_up());
  puppet.act = nullptr;
  const int asked = puppet.asked;
  CHECK(drafted(guard, request_of({1}), 1).empty());
  CHECK(puppet.asked == asked);
  CHECK(guard.complaint() == "the drafter failed 5 times and was not asked again: broken");
}

TEST_CASE("a drafter that throws while it forgets is counted, too", "[guard]") {
  Puppet puppet;
  puppet.forget_throws = true;
  GuardedDrafter guard(puppet, kVocabulary);
  guard.forget(request_of({1}, 6));
  CHECK(guard.complaint() == "the drafter failed 1 times: cannot forget");
}

TEST_CASE("the guard passes on what the drafter says of itself", "[guard]") {
  Puppet puppet;
  const GuardedDrafter guard(puppet, kVocabulary);
  CHECK(guard.describe() == "puppet");
  CHECK(guard.work().passes == 0);
}

}  // namespace
}  // namespace stagecraft
