/// @file
/// Different tokens are found and named, before anything is timed.
#include "stages/core/same_output.h"

#include "kernels/check.h"
#include "stages/1_naive/engine.h"
#include "stages/2_kv_cache/engine.h"
#include "stages/compare/runs.h"
#include "tests/catch.h"
#include "tests/compare/compare_runs.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

/// Stage 2 with one token of its output replaced: what a broken engine does.
class LyingEngine final : public StageEngine {
 public:
  LyingEngine(int request, size_t token, int honest_runs)
      : request_(request), token_(token), honest_runs_(honest_runs) {}

  int64_t kv_slots(const std::vector<Job>& jobs, const KvMemory& memory) const override {
    return engine_.kv_slots(jobs, memory);
  }
  RunLog run(const RunInput& input) override {
    RunLog log = engine_.run(input);
    if (runs_++ >= honest_runs_) ++log.requests[size_t(request_)].output_ids[token_];
    return log;
  }

 private:
  KvCacheEngine engine_;
  int request_;
  size_t token_;
  int honest_runs_;
  int runs_ = 0;
};

constexpr StageInfo kNaive{1, "naive", "", ""}, kCache{2, "kv_cache", "", ""};

/// Three requests of 5 tokens on the smallest model.
struct SmallSession {
  InterruptWatch interrupt;
  Options options = [] {
    Options small;
    small.model = STAGECRAFT_SOURCE_DIR "/models/tales-400k";
    small.device = "cpu";
    return small;
  }();
  Session session = open_session(options, {.workload = workload()}, interrupt);

  static Workload workload() {
    return {"three",
            {{.prompt_tokens = 4, .output_tokens = 5},
             {.prompt_tokens = 7, .output_tokens = 5},
             {.prompt_tokens = 2, .output_tokens = 5}}};
  }

  std::vector<StageRuns> run_against(std::unique_ptr<StageEngine> second, int repeat) {
    std::vector<Contestant> contestants;
    contestants.push_back({kNaive, std::make_unique<NaiveEngine>()});
    contestants.push_back({kCache, std::move(second)});
    return run_in_turns(contestants, repeat, options, session, interrupt);
  }
};

std::string failure_of(SmallSession& small, std::unique_ptr<StageEngine> engine, int repeat) {
  try {
    small.run_against(std::move(engine), repeat);
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "";
}

}  // namespace

TEST_CASE("equal outputs have no difference, whatever their times", "[compare]") {
  CHECK_FALSE(first_difference(small_log(3), small_log(8)));
}

TEST_CASE("the first token that differs is found, in the first request that has one", "[compare]") {
  const RunLog expected = small_log(3);
  RunLog actual = expected;
  actual.requests[1].output_ids[0] = 77;
  actual.requests[0].output_ids[2] = 78;
  const std::optional<OutputDifference> difference = first_difference(expected, actual);
  REQUIRE(difference);
  CHECK(difference->request == 0);
  CHECK(difference->token == 2);
  CHECK(difference->expected == 12);
  CHECK(difference->actual == 78);
}

TEST_CASE("an output that ends early, and one that goes on, differ where the other one ends", "[compare]") {
  const RunLog expected = small_log(3);
  RunLog shorter = expected;
  shorter.requests[1].output_ids.pop_back();
  const std::optional<OutputDifference> early = first_difference(expected, shorter);
  REQUIRE(early);
  CHECK(early->request == 1);
  CHECK(early->token == 1);
  CHECK(early->expected == 11);
  CHECK_FALSE(early->actual);
  const std::optional<OutputDifference> late = first_difference(shorter, expected);
  REQUIRE(late);
  CHECK_FALSE(late->expected);
  CHECK(late->actual == 11);
}

TEST_CASE("an engine that gives another token is reported with request and position", "[compare][control]") {
  SmallSession small;
  const std::string message = failure_of(small, std::make_unique<LyingEngine>(1, 3, 0), 1);
  INFO(message);
  CHECK(message.find("request 1, output token 3") != std::string::npos);
  CHECK(message.find("stage 1 naive") != std::string::npos);
  CHECK(message.find("stage 2 kv_cache") != std::string::npos);
}

TEST_CASE("an engine that errs in its last round only is found too", "[compare][control]") {
  SmallSession small;
  CHECK(failure_of(small, std::make_unique<LyingEngine>(2, 0, 3), 3).find("request 2, output token 0") !=
        std::string::npos);
  CHECK(failure_of(small, std::make_unique<LyingEngine>(2, 0, 4), 3).empty());
}

TEST_CASE("all stages get the same number of timed rounds, with the same counts in each", "[compare]") {
  SmallSession small;
  const std::vector<StageRuns> stages = small.run_against(std::make_unique<KvCacheEngine>(), 2);
  REQUIRE(stages.size() == 2);
  for (const StageRuns& stage : stages) {
    REQUIRE(stage.rounds.size() == 2);
    CHECK(stage.rounds[0].counts.tokens_forwarded == stage.rounds[1].counts.tokens_forwarded);
  }
  CHECK(stages[0].rounds[0].counts.tokens_forwarded == 5 * (4 + 7 + 2) + 3 * (5 * 4 / 2));
  CHECK(stages[1].rounds[0].counts.tokens_forwarded == (4 + 7 + 2) + 3 * (5 - 1));
}
