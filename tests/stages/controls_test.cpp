/// @file
/// Negative controls: engines and operations that are wrong in the ways real ones have been, and the comparisons of the
/// other tests, which must see it.
#include <cmath>
#include <limits>
#include <vector>

#include "stages/2_kv_cache/engine.h"
#include "stages/3_batching/engine.h"
#include "stages/core/slot_kv_store.h"
#include "tests/catch.h"
#include "tests/stages/computed_prompt.h"
#include "tests/stages/mixed_requests.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

const Kernels& right() {
  static const std::unique_ptr<Device> device = make_device("cpu", 1);
  return device->kernels();
}

/// Positions count from the start of the pass instead of the start of the sequence.
void rope_that_restarts(float* x, const int32_t* positions, const float* cosines, const float* sines, int rows,
                        int heads, int head_dim, Stream stream) {
  std::vector<int32_t> restarted(positions, positions + rows);
  for (int32_t& position : restarted) position -= positions[0];
  right().rope(x, restarted.data(), cosines, sines, rows, heads, head_dim, stream);
}

/// The last bit of a sum depends on how many rows there are.
void linear_that_counts_rows(const float* x, WeightView weight, WeightView bias, float* out, int rows, int in,
                             int out_width, Stream stream) {
  right().linear(x, weight, bias, out, rows, in, out_width, stream);
  if (rows > 1) out[0] = std::nextafter(out[0], std::numeric_limits<float>::infinity());
}

/// The noise belongs to the row of the batch.
void sample_by_row(const float* logits, const SamplingRow* how, TokenId* out, int rows, int vocabulary, Stream stream) {
  std::vector<SamplingRow> by_row(how, how + rows);
  for (int row = 0; row < rows; ++row) by_row[size_t(row)].seed += uint64_t(row);
  right().sample(logits, by_row.data(), out, rows, vocabulary, stream);
}

/// A store that gives every request the same places.
class SharedRegionStore final : public KvStore {
 public:
  explicit SharedRegionStore(const SlotKvShape& shape) : right_(shape) {}
  std::optional<std::string> refusal(int64_t length) const override { return right_.refusal(length); }
  bool reserve(const Request& request, int64_t upto) override { return right_.reserve(request, upto); }
  void truncate(const Request& request, int64_t length) override { right_.truncate(request, length); }
  void release(const Request& request) override { right_.release(request); }
  int64_t reserved(const Request& request) const override { return right_.reserved(request); }
  int64_t slot(const Request&, int64_t position) const override { return position; }
  int holders() const override { return right_.holders(); }
  KvUsage usage() const override { return right_.usage(); }
  void check_invariants() const override { right_.check_invariants(); }

 private:
  SlotKvStore right_;
};

/// Two requests in lock step, on the places that a store of type Store gives them.
template <class Store>
class TwoRequestEngine final : public StageEngine {
 public:
  int64_t kv_slots(const std::vector<Job>& jobs, const KvMemory&) const override { return 2 * most_stored(jobs); }
  RunLog run(const RunInput& input) override {
    Store store({2, most_stored(input.jobs), input.model.config().kv_bytes_per_token(input.pool.type())});
    EngineRun run(input, store);
    for (;;) {
      StepPlan plan;
      for (Generation& generation : run.requests()) {
        Request& request = generation.request();
        if (generation.finished()) continue;
        check(store.reserve(request, int64_t(request.tokens.size())), "there is a region for each");
        plan.items.push_back(catch_up(request));
      }
      if (plan.empty()) return run.finish();
      run.forward(plan);
      run.deliver(plan, run.sample(plan));
      advance(plan);
    }
  }
};

std::vector<TokenId> some_prompt(TestModel& on) { return simple_job(3, 100, 1, on.config()).request.tokens; }

}  // namespace

TEST_CASE("control: positions that restart after a chunk are seen in logits, K/V and tokens", "[stages][control]") {
  TestModel broken("models/tales-400k");
  broken.device().kernels().rope = rope_that_restarts;
  const std::vector<TokenId> prompt = some_prompt(broken);
  const ComputedPrompt whole = compute_prompt(broken, prompt, kWholePrompt, NumberType::bf16);
  CHECK(same_logits(whole, compute_prompt(tales_400k(), prompt, kWholePrompt, NumberType::bf16)));
  const ComputedPrompt pieces = compute_prompt(broken, prompt, 16, NumberType::bf16);
  CHECK_FALSE(same_logits(whole, pieces));
  CHECK(whole.kv != pieces.kv);

  const std::vector<Job> jobs = mixed_requests({.count = 4, .seed = 8}, broken.config());
  NaiveEngine naive;
  KvCacheEngine cached;
  CHECK(difference(run_engine(naive, broken, jobs), run_engine(cached, broken, jobs)) != "");
}

TEST_CASE("control: one bit in one sum that depends on the number of rows is seen in the logits", "[stages][control]") {
  TestModel broken("models/tales-400k");
  broken.device().kernels().linear = linear_that_counts_rows;
  const std::vector<TokenId> prompt = some_prompt(broken);
  CHECK_FALSE(same_logits(compute_prompt(broken, prompt, 1, NumberType::bf16),
                          compute_prompt(broken, prompt, kWholePrompt, NumberType::bf16)));
}

TEST_CASE("control: K and V that are rounded otherwise are seen in the logits", "[stages][control]") {
  const std::vector<TokenId> prompt = some_prompt(tales_400k());
  CHECK_FALSE(same_logits(compute_prompt(tales_400k(), prompt, 1, NumberType::bf16),
                          compute_prompt(tales_400k(), prompt, 1, NumberType::fp32)));
}

TEST_CASE("control: noise that belongs to the row of the batch is seen in the tokens", "[stages][control]") {
  TestModel broken("models/tales-400k");
  broken.device().kernels().sample = sample_by_row;
  const std::vector<Job> jobs = mixed_requests({.count = 8, .temperatures = {1.5f}, .seed = 12}, broken.config());
  KvCacheEngine alone;
  StaticBatchEngine batch(4);
  CHECK(difference(run_engine(alone, broken, jobs), run_engine(batch, broken, jobs)) != "");
}

TEST_CASE("control: two requests on the same places are seen in the tokens", "[stages][control]") {
  TestModel& on = tales_400k();
  const std::vector<Job> jobs = {simple_job(0, 20, 20, on.config()), simple_job(1, 31, 20, on.config())};
  KvCacheEngine alone;
  const RunLog expected = run_engine(alone, on, jobs);
  TwoRequestEngine<SlotKvStore> right_engine;
  CHECK(difference(expected, run_engine(right_engine, on, jobs)) == "");
  TwoRequestEngine<SharedRegionStore> wrong_engine;
  CHECK(difference(expected, run_engine(wrong_engine, on, jobs)) != "");
}

TEST_CASE("control: a slot that is read before it is written gives no token at all", "[stages][control]") {
  // What the poison is for: attention that looks one key too far meets a NaN.
  TestModel broken("models/tales-400k");
  broken.device().kernels().attention = [](const float* q, KvView kv, const RaggedRows& who, float* out,
                                           const AttentionShape& shape, float* scratch, Stream stream) {
    std::vector<int32_t> too_far(who.positions, who.positions + who.rows);
    for (int32_t& position : too_far) ++position;
    RaggedRows rows = who;
    rows.positions = too_far.data();
    ++rows.longest_kv;
    std::vector<float> more_scratch(size_t(right().attention_scratch(shape, rows.rows, rows.longest_kv)));
    right().attention(q, kv, rows, out, shape, scratch ? more_scratch.data() : scratch, stream);
  };
  KvCacheEngine engine;
  CHECK_THROWS_AS(run_engine(engine, broken, {simple_job(0, 5, 9, broken.config())}), Failure);
}
