#include "tests/engines/watched_engine.h"

#include <functional>
#include <utility>

#include "kernels/check.h"

namespace stagecraft::testing {
namespace {

/// Calls `watch` before each step.
template <class Base>
class Watched final : public Base {
 public:
  template <class... Arguments>
  explicit Watched(std::function<void()> watch, Arguments&&... arguments)
      : Base(std::forward<Arguments>(arguments)...), watch_(std::move(watch)) {}

 protected:
  void before_plan() override {
    watch_();
    Base::before_plan();
  }

 private:
  std::function<void()> watch_;
};

/// Fills blocks with NaN as soon as nobody holds them.
class BlockPoisoner {
 public:
  BlockPoisoner(const RunInput& input, const PagedKvStore& store)
      : device_(input.model.device()),
        pool_(input.pool),
        store_(store),
        planes_(2 * input.model.config().layers),
        bytes_(size_t(pool_.bytes() / planes_ / store.blocks()), std::byte{0xFF}),
        poisoned_(size_t(store.blocks()), false) {}

  void poison_free_blocks() {
    const std::vector<int32_t> owners = store_.owners();
    for (size_t block = 0; block < owners.size(); ++block) {
      const bool free = owners[block] == BlockMap::kFree;
      if (free && !poisoned_[block]) poison(int64_t(block));
      poisoned_[block] = free;
    }
  }

  int64_t blocks_poisoned() const { return blocks_poisoned_; }

 private:
  void poison(int64_t block) {
    auto* const first = static_cast<std::byte*>(pool_.layer(0, {}).keys);
    const int64_t plane_bytes = pool_.bytes() / planes_, block_bytes = int64_t(bytes_.size());
    for (int64_t plane = 0; plane < planes_; ++plane) {
      device_.copy_to_device(first + plane * plane_bytes + block * block_bytes, bytes_.data(), bytes_.size());
    }
    ++blocks_poisoned_;
  }

  Device& device_;
  KvPool& pool_;
  const PagedKvStore& store_;
  int64_t planes_;
  std::vector<std::byte> bytes_;  // of a block in a plane
  std::vector<bool> poisoned_;
  int64_t blocks_poisoned_ = 0;
};

}  // namespace

WatchedEngine::WatchedEngine(const SpeculativeOptions& options, MakeDrafter make_drafter)
    : options_(options), make_drafter_(std::move(make_drafter)) {}

int64_t WatchedEngine::kv_slots(const std::vector<Job>& jobs, const KvMemory& memory) const {
  return PagedEngine(options_.paged).kv_slots(jobs, memory);
}

RunLog WatchedEngine::run(const RunInput& input) {
  const PagedOptions& paged = options_.paged;
  PagedKvStore store(kv_shape(paged, input));
  EngineRun run(input, store);
  PagedScheduler scheduler(paged.scheduler, store, watermark_blocks(paged.pool, store.blocks()));
  BlockPoisoner poisoner(input, store);
  const auto watch = [&] {
    scheduler.check_invariants();
    store.check_invariants();
    poisoner.poison_free_blocks();
  };
  if (make_drafter_) {
    const std::unique_ptr<Drafter> drafter = make_drafter_(input);
    GuardedDrafter guarded(*drafter, input.model.config().vocabulary);
    Watched<SpeculativeService>(watch, run, scheduler, paged.token_budget, store, guarded, options_.length,
                                options_.verifier)
        .serve_all();
  } else {
    Watched<PagedService>(watch, run, scheduler, paged.token_budget, store).serve_all();
  }
  check(scheduler.idle() && store.holders() == 0, "nothing is left when all have ended");
  check(store.available_blocks() == store.blocks(), "all blocks have come back");
  sharing_ = store.sharing();
  poisoned_blocks_ = poisoner.blocks_poisoned();
  return run.finish();
}

}  // namespace stagecraft::testing
