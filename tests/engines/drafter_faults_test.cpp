/// @file
/// Drafters that throw at any step, or speak another vocabulary, while a real engine runs: the output is what it is
/// without them, and the engine says what went wrong.
#include "tests/catch.h"
#include "tests/engines/step_watch.h"

namespace stagecraft::testing {
namespace {

using Propose = std::function<std::vector<Draft>(std::span<const Request* const>, std::span<const int>)>;

/// `faulty` instead of the oracle's drafts from step `first` on, `times` times.
class FaultyDrafter final : public Drafter {
 public:
  FaultyDrafter(std::unique_ptr<Drafter> right, Propose faulty, int first, int times)
      : right_(std::move(right)), faulty_(std::move(faulty)), first_(first), times_(times) {}

  std::vector<Draft> propose(std::span<const Request* const> requests, std::span<const int> lengths) override {
    const int step = step_++;
    if (step >= first_ && step < first_ + times_) return faulty_(requests, lengths);
    return right_->propose(requests, lengths);
  }
  std::string describe() const override { return "faulty"; }

 private:
  std::unique_ptr<Drafter> right_;
  Propose faulty_;
  int first_, times_;
  int step_ = 0;
};

constexpr int kAlways = 1'000'000;

struct FaultyRun {
  RunLog log;
  DraftReport drafts;
};

FaultyRun run_faulty(const Cell& cell, const Propose& faulty, int first, int times) {
  TestModel& on = engine_model(cell.model, cell.device);
  const MakeDrafter right = drafter_of(cell);
  SpeculativeEngine engine(
      {.paged = paged_options(cell, on.config().kv_bytes_per_token(cell.kv_type)), .length = cell.length},
      [&](const RunInput& input) { return std::make_unique<FaultyDrafter>(right(input), faulty, first, times); });
  RunLog log = run_once(cell, on, engine);
  return {std::move(log), engine.latest_drafts()};
}

bool contains(const std::optional<std::string>& text, const std::string& part) {
  return text && text->find(part) != std::string::npos;
}

Draft draft_of(TokenId token, int length) { return {std::vector<TokenId>(size_t(length), token), {}}; }

std::vector<Draft> drafts_of(TokenId token, std::span<const int> lengths) {
  std::vector<Draft> drafts;
  for (const int length : lengths) drafts.push_back(draft_of(token, length));
  return drafts;
}

}  // namespace

TEST_CASE("a drafter that throws at step n changes no token; it is counted and said", "[engines][fault][drafter]") {
  const Cell cell = busy_cell();
  const RunLog expected = expected_of(cell);
  const auto throws = [](auto, auto) -> std::vector<Draft> { throw Failure("no idea"); };
  const int steps = int(run_faulty(cell, throws, kAlways, 0).log.steps.size());
  REQUIRE(steps > 8);
  for (int n = 0; n < steps; ++n) {
    INFO("step " << n);
    const FaultyRun run = run_faulty(cell, throws, n, 1);
    REQUIRE(difference(expected, run.log) == "");
    REQUIRE(contains(run.drafts.complaint, "failed 1 times: no idea"));
  }
  const FaultyRun always = run_faulty(cell, throws, 2, kAlways);
  CHECK(difference(expected, always.log) == "");
  CHECK(contains(always.drafts.complaint, "failed 3 times and was not asked again: no idea"));
  const FaultyRun not_even_an_exception = run_faulty(
      cell, [](auto, auto) -> std::vector<Draft> { throw 7; }, 2, 1);
  CHECK(difference(expected, not_even_an_exception.log) == "");
  CHECK(contains(not_even_an_exception.drafts.complaint, "no std::exception"));
  CHECK_FALSE(run_faulty(cell, throws, kAlways, 0).drafts.complaint);
}

TEST_CASE("a drafter of another vocabulary changes no token; what it drafts is cut and counted",
          "[engines][fault][drafter]") {
  const Cell cell = busy_cell();
  const RunLog expected = expected_of(cell);
  const TokenId vocabulary = TokenId(engine_model(cell.model, cell.device).config().vocabulary);
  for (const TokenId id : {vocabulary, TokenId(1'000'000), TokenId(-1), kNoToken}) {
    INFO("id " << id);
    const FaultyRun run = run_faulty(
        cell, [&](auto, std::span<const int> lengths) { return drafts_of(id, lengths); }, 0, kAlways);
    CHECK(difference(expected, run.log) == "");
    CHECK(contains(run.drafts.complaint, "outside the target's vocabulary"));
  }
  const FaultyRun last_id = run_faulty(
      cell, [&](auto, std::span<const int> lengths) { return drafts_of(vocabulary - 1, lengths); }, 0, kAlways);
  CHECK(difference(expected, last_id.log) == "");
  CHECK_FALSE(last_id.drafts.complaint);
}

TEST_CASE("too many drafts, too few, and drafts that are too long change no token", "[engines][fault][drafter]") {
  const Cell cell = busy_cell();
  const RunLog expected = expected_of(cell);
  const std::vector<Propose> faults = {
      [](auto, auto) { return std::vector<Draft>(100); },
      [](auto, auto) { return std::vector<Draft>(); },
      [](std::span<const Request* const> requests, auto) {
        return std::vector<Draft>(requests.size(), draft_of(5, 500));
      },
  };
  for (size_t i = 0; i < faults.size(); ++i) {
    INFO("fault " << i);
    const FaultyRun run = run_faulty(cell, faults[i], 0, kAlways);
    CHECK(difference(expected, run.log) == "");
    CHECK(run.drafts.complaint.has_value());
  }
}

}  // namespace stagecraft::testing
