/// @file
/// EXACTNESS T11: the matrix on engines and kernels that are wrong in the ways real ones have been. Each must turn some
/// cell red; the same cells with nothing broken are green.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/catch.h"
#include "tests/engines/cell_run.h"
#include "tests/engines/engine_on_store.h"
#include "tests/engines/failing_cell.h"
#include "tests/paging/faulty_stores.h"
#include "tests/sanitized.h"

namespace stagecraft::testing {
namespace {

constexpr int kCells = repetitions(60, 30);
constexpr int kMostCells = 240;  // until a broken store must have shown itself

const Kernels& right() {
  static const std::unique_ptr<Device> device = make_device("cpu", 1);
  return device->kernels();
}

/// Positions count from the start of the pass (of its first request): keys found in a cache are forgotten.
void rope_that_restarts(float* x, const int32_t* positions, const float* cosines, const float* sines, int rows,
                        int heads, int head_dim, Stream stream) {
  std::vector<int32_t> restarted(positions, positions + rows);
  for (int32_t& position : restarted) position = std::max(0, position - positions[0]);
  right().rope(x, restarted.data(), cosines, sines, rows, heads, head_dim, stream);
}

/// Noise that belongs to the row of the batch, not to the request (R8).
void sample_by_row(const float* logits, const SamplingRow* how, TokenId* out, int rows, int vocabulary, Stream stream) {
  std::vector<SamplingRow> by_row(how, how + rows);
  for (int row = 0; row < rows; ++row) by_row[size_t(row)].seed += uint64_t(row);
  right().sample(logits, by_row.data(), out, rows, vocabulary, stream);
}

/// Copies on write that do not happen.
void copy_nothing(void*, const BlockCopy*, int, int64_t, Stream) {}

/// Keys and values of a pass's last row stay where they are: the token after a draft that was right is missing.
void kv_write_without_last_row(const float* keys, const float* values, const int64_t* slots, KvView kv, int rows,
                               int kv_heads, int head_dim, Stream stream) {
  right().kv_write(keys, values, slots, kv, rows > 2 ? rows - 1 : rows, kv_heads, head_dim, stream);
}

/// Accepts one drafted token more than is right.
void verify_too_generous(const TokenId* drawn, const TokenId* draft, const int32_t* row_start, int32_t* accepted,
                         int requests, Stream stream) {
  right().verify(drawn, draft, row_start, accepted, requests, stream);
  for (int i = 0; i < requests; ++i) {
    if (accepted[i] + 1 < row_start[i + 1] - row_start[i]) ++accepted[i];
  }
}

/// The cells of the matrix that `concerns`, moved to the cpu and run on `broken`: whether any is red.
bool turns_red(TestModel& broken, const std::function<bool(const Cell&)>& concerns,
               const MakeEngine& make_engine = engine_of) {
  for (int number = 0; number < kCells * 4; ++number) {
    Cell cell = draw_cell(matrix_seed(), number);
    if (cell.model != "models/tales-400k" || !concerns(cell)) continue;
    cell.device = "cpu";
    if (run_cell(cell, broken, make_engine).verdict != CellRun::Verdict::right) return true;
  }
  return false;
}

bool any(const Cell& cell) { return cell.stage >= 3; }
bool pages(const Cell& cell) { return cell.stage >= 5; }
bool drafts(const Cell& cell) { return cell.stage == 6; }

std::unique_ptr<TestModel> broken_model(const std::function<void(Kernels&)>& break_it) {
  auto model = std::make_unique<TestModel>("models/tales-400k");
  break_it(model->device().kernels());
  return model;
}

/// Publishes one token too many after a rejection: what is stored for it is the wrong guess's.
struct SharesWrongGuesses : StoreAround {
  using StoreAround::StoreAround;
  void truncate(const Request& request, int64_t length) override {
    if (inner.reserved(request) > length) inner.commit(request, length + 1);
    inner.truncate(request, length);
  }
};

/// Whether a store that is broken turns one of the first `most` cells of stages 5 and 6 red.
template <class Store>
bool store_turns_red(int most = kMostCells) {
  const auto make_store = [](PagedKvStore& pages) { return std::make_unique<Store>(pages); };
  const auto concerns = [&](const Cell& cell) { return pages(cell) && most-- > 0; };
  return turns_red(engine_model("models/tales-400k", "cpu"), concerns, [&](const Cell& cell, TestModel& on) {
    return std::make_unique<EngineOnStore>(cell, on, make_store);
  });
}

}  // namespace

TEST_CASE("control: broken KV stores turn the matrix red", "[engines][matrix][control][T11]") {
  SECTION("none is broken: green") { CHECK_FALSE(store_turns_red<StoreAround>(repetitions(12, 4))); }
  SECTION("a hit on the last token") { CHECK(store_turns_red<HitsTheLastToken>()); }
  SECTION("wrong guesses are shared") { CHECK(store_turns_red<SharesWrongGuesses>()); }
  SECTION("stale tables") { CHECK(store_turns_red<KeepsStaleTables>()); }
  SECTION("writes into shared blocks") { CHECK(store_turns_red<WritesInPlace>()); }
  SECTION("copies that are forgotten") { CHECK(store_turns_red<ForgetsCopies>()); }
  SECTION("blocks that are shared and not held") { CHECK(store_turns_red<ForgetsToHold>()); }
  SECTION("tokens that are taken for equal") { CHECK(store_turns_red<AcceptsCollisions>()); }
}

TEST_CASE("control: broken kernels turn the matrix red", "[engines][matrix][control][T11]") {
  SECTION("none is broken: green") {
    const auto model = broken_model([](Kernels&) {});
    int left = repetitions(12, 4);
    CHECK_FALSE(turns_red(*model, [&](const Cell& cell) { return any(cell) && left-- > 0; }));
  }
  SECTION("positions that restart") {
    CHECK(turns_red(*broken_model([](Kernels& k) { k.rope = rope_that_restarts; }), any));
  }
  SECTION("noise of the batch row") {
    CHECK(turns_red(*broken_model([](Kernels& k) { k.sample = sample_by_row; }), any));
  }
  SECTION("copies on write that do not happen") {
    CHECK(turns_red(*broken_model([](Kernels& k) { k.copy_blocks = copy_nothing; }), pages));
  }
  SECTION("a row that is not stored") {
    CHECK(turns_red(*broken_model([](Kernels& k) { k.kv_write = kv_write_without_last_row; }), drafts));
  }
  SECTION("a verifier that accepts a wrong token") {
    CHECK(turns_red(*broken_model([](Kernels& k) { k.verify = verify_too_generous; }), drafts));
  }
}

}  // namespace stagecraft::testing
