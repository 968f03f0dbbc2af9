/// @file
/// A draft model beside its target: same output, more tokens a call; and its own books, whatever happens to requests.
#include "stages/6_speculative_decoding/model_drafter.h"

#include <memory>

#include "stages/5_paged_attention/paged_kv_store.h"
#include "stages/6_speculative_decoding/scripted_drafter.h"
#include "stages/core/random_stream.h"
#include "tests/catch.h"
#include "tests/speculation/drafting_loop.h"
#include "tests/speculation/requests.h"

namespace stagecraft {
namespace {

using testing::drafted;
using testing::DraftingLoop;
using testing::request_of;
using testing::tales_400k;
using testing::tales_5m;
using testing::TestModel;
using testing::Tokens;

using Noise = ModelDrafterOptions::Noise;

constexpr int64_t kBlock = 4;

struct DraftModelShape {
  bool paged = false;
  int places = 4;
  int64_t slots = DraftingLoop::kLongest;  // of each
  int64_t catch_up_rows = 256;
  Noise noise = Noise::coupled;
  int64_t max_positions = 1024;
  int64_t vocabulary = 2048;  // of the target
};

std::unique_ptr<KvStore> store_for(const DraftModelShape& shape) {
  if (!shape.paged) {
    return std::make_unique<SlotKvStore>(SlotKvShape{.max_running = shape.places, .slots_per_request = shape.slots});
  }
  return std::make_unique<PagedKvStore>(
      PagedKvShape{.blocks = shape.places * shape.slots / kBlock, .block_size = kBlock, .prefix_cache = false});
}

/// A model drafter with its own store and a pool full of NaN.
struct DraftModel {
  explicit DraftModel(const DraftModelShape& shape = {}, TestModel& model = tales_400k())
      : store(store_for(shape)),
        pool(model.poisoned_pool(NumberType::bf16, shape.places * shape.slots)),
        drafter(model.model(), pool, *store,
                {.noise = shape.noise,
                 .vocabulary = shape.vocabulary,
                 .max_positions = shape.max_positions,
                 .catch_up_rows = shape.catch_up_rows}) {}

  std::unique_ptr<KvStore> store;
  KvPool pool;
  ModelDrafter drafter;
};

Tokens ids_of(const std::string& text) { return tales_5m().tokenizer().encode(text); }

const std::vector<std::string> kBeginnings{"Once upon a time there was a", "The king said to his daughter",
                                           "In the forest", "So"};

/// A request for each beginning, each with its own seed.
std::deque<Request> tales(float temperature, int64_t max_tokens,
                          const std::vector<std::string>& beginnings = kBeginnings) {
  std::deque<Request> requests;
  for (const std::string& text : beginnings) {
    Request request = request_of(ids_of(text), int(requests.size()));
    request.max_tokens = max_tokens;
    request.sampling = {.temperature = temperature, .seed = 40 + uint64_t(request.id)};
    requests.push_back(std::move(request));
  }
  return requests;
}

/// What the target says without drafts.
std::deque<Request> undrafted(std::deque<Request> requests) {
  ScriptedDrafter none({.kind = Script::Kind::empty}, {}, 2);
  DraftingLoop(tales_5m(), none, int(requests.size())).run(requests, std::vector<int>(requests.size(), 0));
  return requests;
}

bool same_tokens(const std::deque<Request>& a, const std::deque<Request>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Request& x, const Request& y) { return x.tokens == y.tokens; });
}

TEST_CASE("a draft model changes no token at any temperature, and saves calls", "[model]") {
  for (const float temperature : {0.0f, 0.8f, 1.5f}) {
    DraftModel small({.paged = temperature == 0.8f});
    DraftingLoop loop(tales_5m(), small.drafter, 4);
    std::deque<Request> requests = tales(temperature, 40);
    loop.run(requests, {4, 1, 7, 2});
    small.drafter.check_invariants();
    CHECK(same_tokens(requests, undrafted(tales(temperature, 40))));
    INFO("temperature " << temperature << ": " << loop.counts().tokens_per_call() << " tokens a call");
    CHECK(loop.counts().tokens_per_call() > 1.3);
    CHECK(loop.counts().accepted() < loop.counts().proposed());
  }
}

TEST_CASE("twenty tales at temperature 0: at least two tokens a target call, and the same tokens", "[model]") {
  const std::vector<std::string> twenty{"Once upon a time there was a",
                                        "The king said to his daughter",
                                        "In the forest",
                                        "A poor man had three sons",
                                        "The wolf came to the door",
                                        "There lived an old woman",
                                        "When the sun rose",
                                        "The youngest brother",
                                        "The princess wept",
                                        "One day the fox",
                                        "He went into the",
                                        "The giant laughed and",
                                        "Far away in the mountains",
                                        "The queen looked into",
                                        "At midnight the",
                                        "The little girl ran",
                                        "Then the bird flew",
                                        "The miller's wife",
                                        "All the people of",
                                        "The prince took his sword"};
  DraftModel small({.places = 20});
  DraftingLoop loop(tales_5m(), small.drafter, 20);
  std::deque<Request> requests = tales(0.0f, 40, twenty);
  const std::deque<Request> expected = undrafted(requests);
  loop.run(requests, std::vector<int>(20, 6));
  CHECK(same_tokens(requests, expected));
  INFO(loop.counts().tokens_per_call() << " tokens a call");
  CHECK(loop.counts().tokens_per_call() >= 2.0);
}

TEST_CASE("draft = target: all is accepted, k + 1 tokens a call, also at temperature", "[model]") {
  for (const float temperature : {0.0f, 0.9f}) {
    DraftModel same({}, tales_5m());
    DraftingLoop loop(tales_5m(), same.drafter, 4);
    std::deque<Request> requests = tales(temperature, 40);
    loop.run(requests, {4, 4, 4, 4});
    CHECK(loop.counts().acceptance() == 1.0);
    CHECK(loop.counts().tokens_per_call() == 5.0);
  }
}

TEST_CASE("control: noise of its own makes a draft model at temperature agree only by chance", "[model]") {
  DraftModel own({.noise = Noise::independent}, tales_5m());
  DraftingLoop loop(tales_5m(), own.drafter, 4);
  std::deque<Request> requests = tales(0.9f, 40);
  loop.run(requests, {4, 4, 4, 4});
  CHECK(loop.counts().acceptance() < 0.7);
  CHECK(same_tokens(requests, undrafted(tales(0.9f, 40))));
}

TEST_CASE("requests drafted together get the drafts that they get alone", "[model]") {
  DraftModel together, alone;
  const std::deque<Request> requests = tales(0.8f, 40);
  const std::vector<const Request*> all{&requests[0], &requests[1], &requests[2], &requests[3]};
  const std::vector<int> lengths{3, 0, 6, 1};
  const std::vector<Draft> drafts = together.drafter.propose(all, lengths);
  for (size_t i = 0; i < all.size(); ++i) {
    CHECK(drafts[i].size() == size_t(lengths[i]));
    CHECK(drafts[i].tokens == drafted(alone.drafter, requests[i], lengths[i]));
  }
  CHECK(together.drafter.work().passes == 6);  // as many as the longest draft
  CHECK(alone.drafter.work().passes == 10);
  CHECK(together.drafter.work().rows == alone.drafter.work().rows);
}

TEST_CASE("what it has read is read once: the rows of a round are the corrections and the guesses", "[model]") {
  DraftModel small;
  Request request = tales(0.0f, 100)[0];
  const int64_t prompt = int64_t(request.tokens.size());
  const Tokens draft = drafted(small.drafter, request, 3);
  CHECK(small.drafter.work().rows == prompt + 2);  // the last guess is not read
  request.tokens.insert(request.tokens.end(), draft.begin(), draft.end());
  request.tokens.push_back(300);
  drafted(small.drafter, request, 3);  // all three were right: the third and the bonus are new
  CHECK(small.drafter.work().rows == prompt + 2 + 2 + 2);
  request.tokens.push_back(301);  // none was right
  drafted(small.drafter, request, 1);
  CHECK(small.drafter.work().rows == prompt + 6 + 1);
}

TEST_CASE("whatever came before, drafts are those of a drafter that has never seen the request", "[model]") {
  const bool paged = GENERATE(false, true);
  DraftModel small({.paged = paged,
                    .places = paged ? 1 : 3,
                    .slots = paged ? 160 : 256});  // pages for one long request or some short ones
  int compared = 0;
  RandomStream random(31, 4);
  std::deque<Request> requests = tales(0.7f, 1000);
  for (int step = 0; step < 120; ++step) {
    std::vector<const Request*> asked;
    std::vector<int> lengths;
    for (const Request& request : requests) {
      if (random.below(3) == 0 || asked.size() == 3) continue;
      asked.push_back(&request), lengths.push_back(int(random.below(5)));
    }
    const std::vector<Draft> drafts = small.drafter.propose(asked, lengths);
    small.drafter.check_invariants();
    for (size_t i = 0; i < asked.size(); ++i) {
      Request& request = requests[size_t(asked[i]->id)];
      if (step % 4 == 0 && (!paged || drafts[i].size() > 0)) {  // pages may be short
        DraftModel fresh;
        REQUIRE(drafts[i].tokens == drafted(fresh.drafter, request, lengths[i]));
        ++compared;
      }
      const int64_t right = random.below(uint32_t(drafts[i].size()) + 1);  // the rest is corrected
      request.tokens.insert(request.tokens.end(), drafts[i].tokens.begin(), drafts[i].tokens.begin() + right);
      request.tokens.push_back(TokenId(1 + random.below(2000)));
    }
    Request& gone = requests[size_t(random.below(4))];
    if (random.below(6) == 0) small.drafter.forget(gone);                     // preempted
    if (random.below(9) == 0) gone = tales(0.7f, 1000)[size_t(gone.id)];      // another one of the same id
    if (gone.tokens.size() > 150) gone = tales(0.7f, 1000)[size_t(gone.id)];  // as long as a region
  }
  CHECK(small.drafter.evictions() > 0);
  CHECK(compared > 20);
}

TEST_CASE("a long prompt is caught up over several rounds, in which others draft", "[model]") {
  DraftModel slow({.catch_up_rows = 16}), fast;
  const Request longer = request_of(Tokens(40, 77), 0), other = tales(0.0f, 10)[2];
  const std::vector<const Request*> both{&longer, &other};
  const int64_t short_prompt = int64_t(other.tokens.size());
  REQUIRE(short_prompt < 8);
  std::vector<size_t> drafted_of_longer;
  Request changing = other;
  const std::vector<const Request*> asked{&longer, &changing};
  for (int round = 0; round < 3; ++round) {
    const std::vector<Draft> drafts = slow.drafter.propose(asked, std::vector<int>{2, 2});
    CHECK(drafts[1].size() == 2);
    drafted_of_longer.push_back(drafts[0].size());
    if (drafts[0].size() > 0) CHECK(drafts[0].tokens == drafted(fast.drafter, longer, 2));
    changing.tokens.push_back(TokenId(100 + round));
  }
  CHECK(drafted_of_longer == std::vector<size_t>{0, 0, 2});  // 40 tokens, at most 15 a round
}

TEST_CASE("no room: who was unused for longest is dropped, and comes back later", "[model]") {
  DraftModel small({.places = 2});
  const std::deque<Request> requests = tales(0.0f, 40);
  const Tokens first = drafted(small.drafter, requests[0], 2);
  drafted(small.drafter, requests[1], 2);
  drafted(small.drafter, requests[0], 2);
  CHECK(drafted(small.drafter, requests[2], 2).size() == 2);  // in the place of request 1
  CHECK(small.drafter.evictions() == 1);
  const int64_t rows = small.drafter.work().rows;
  CHECK(drafted(small.drafter, requests[0], 2) == first);
  CHECK(small.drafter.work().rows == rows + 2);  // it was still there
  CHECK(drafted(small.drafter, requests[1], 2).size() == 2);
  small.drafter.check_invariants();
}

TEST_CASE("no room: whoever drafts in this step is not dropped for another of it", "[model]") {
  DraftModel small({.places = 2});
  const std::deque<Request> requests = tales(0.0f, 40);
  drafted(small.drafter, requests[0], 2), drafted(small.drafter, requests[1], 2);
  const std::vector<const Request*> newcomer_first{&requests[2], &requests[0]};
  const std::vector<Draft> drafts = small.drafter.propose(newcomer_first, std::vector<int>{2, 2});
  CHECK((drafts[0].size() == 2 && drafts[1].size() == 2));
  CHECK(small.drafter.evictions() == 1);  // request 1, though it was used later than request 0
}

TEST_CASE("no room for all of a step: some draft nothing, nobody is dropped for them", "[model]") {
  DraftModel small({.places = 2});
  const std::deque<Request> requests = tales(0.0f, 40);
  const std::vector<const Request*> all{&requests[0], &requests[1], &requests[2]};
  const std::vector<Draft> drafts = small.drafter.propose(all, std::vector<int>{2, 2, 2});
  CHECK((drafts[0].size() == 2 && drafts[1].size() == 2 && drafts[2].size() == 0));
  CHECK(small.drafter.evictions() == 0);
  small.drafter.check_invariants();
}

TEST_CASE("a request that is larger than the store drafts nothing, and drops nobody", "[model]") {
  DraftModel small({.places = 2, .slots = 12});
  const Request fits = tales(0.0f, 40)[2];
  CHECK(drafted(small.drafter, fits, 2).size() == 2);
  CHECK(drafted(small.drafter, request_of(Tokens(12, 5), 9), 1).size() == 1);
  CHECK(drafted(small.drafter, request_of(Tokens(12, 5), 9), 2).empty());
  CHECK(drafted(small.drafter, request_of(Tokens(30, 5), 8), 1).empty());
  CHECK(small.drafter.evictions() == 0);
  small.drafter.check_invariants();
}

TEST_CASE("forgotten requests hold nothing; forgetting strangers is no matter", "[model]") {
  DraftModel small;
  const std::deque<Request> requests = tales(0.0f, 40);
  drafted(small.drafter, requests[0], 2), drafted(small.drafter, requests[1], 2);
  CHECK(small.store->holders() == 2);
  small.drafter.forget(requests[0]), small.drafter.forget(requests[0]), small.drafter.forget(requests[3]);
  CHECK(small.store->holders() == 1);
  small.drafter.check_invariants();
}

TEST_CASE("drafts end where the draft model's positions end", "[model]") {
  DraftModel small({.max_positions = 10});
  CHECK(drafted(small.drafter, request_of(Tokens(8, 5)), 9).size() == 3);  // rows 8 and 9; the third guess is not read
  CHECK(drafted(small.drafter, request_of(Tokens(10, 5)), 9).size() == 1);
  CHECK(drafted(small.drafter, request_of(Tokens(11, 5)), 9).empty());
}

TEST_CASE("ids that the draft model does not have: no draft", "[model]") {
  DraftModel small;
  CHECK(drafted(small.drafter, request_of({5, 2048, 6}), 3).empty());
  CHECK(drafted(small.drafter, request_of({}), 3).empty());
  CHECK(small.store->holders() == 0);
}

TEST_CASE("independent noise: each token comes with the distribution it was drawn from", "[model]") {
  DraftModel own({.noise = Noise::independent});
  Request request = tales(0.8f, 40)[0];
  const Draft draft = testing::draft_of(own.drafter, request, 6);
  REQUIRE(draft.size() == 6);
  CHECK(usable_prefix(draft, tales_5m().config().vocabulary) == 6);
  DraftModel narrow({.noise = Noise::independent, .vocabulary = 300});  // the target lacks the rest
  CHECK(usable_prefix(testing::draft_of(narrow.drafter, request, 6), 300) == 6);
  request.sampling.top_k = 3;
  for (const Distribution& q : testing::draft_of(own.drafter, request, 6).drawn_from) CHECK(q.parts().size() == 3);
}

TEST_CASE("a draft model that reads nothing is refused", "[model]") {
  CHECK(testing::complaint_of([] { DraftModel({.catch_up_rows = 0}); }) ==
        "a draft model that reads 0 tokens a round never drafts | 1 is the smallest that works");
}

}  // namespace
}  // namespace stagecraft
