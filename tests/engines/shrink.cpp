#include "tests/engines/shrink.h"

#include <algorithm>
#include <vector>

#include "tests/engines/cell_requests.h"

namespace stagecraft::testing {
namespace {

using CellChange = std::function<void(Cell&)>;
using RequestChange = std::function<void(Job&)>;

void set_prompt_length(Request& request, int64_t length) {
  request.prompt_tokens = length;
  request.tokens.resize(size_t(length));
}

/// What makes a cell plainer without leaving out what it asks for.
const std::vector<CellChange>& plainer_cells() {
  static const std::vector<CellChange> changes = {
      [](Cell& c) { c.twice = false; },
      [](Cell& c) { c.end_of_text.clear(); },
      [](Cell& c) { c.device = "cpu"; },
      [](Cell& c) { c.kv_type = NumberType::bf16; },
      [](Cell& c) { c.drafting = Drafting::none; },
      [](Cell& c) { c.length = {.length = 1}; },
      [](Cell& c) { c.draft_blocks.reset(); },
      [](Cell& c) { c.prefix_cache = false; },
      [](Cell& c) { c.pool_blocks.reset(); },
      [](Cell& c) { c.watermark = PagedPoolOptions::kDefaultWatermark; },
      [](Cell& c) { c.watched = false; },
      [](Cell& c) { c.scheduler.policy = Policy::fcfs; },
      [](Cell& c) { c.scheduler.max_chunk = SchedulerOptions::kWholePrompt; },
      [](Cell& c) { c.scheduler.max_overtakes = SchedulerOptions::kDefaultOvertakes; },
      [](Cell& c) { c.token_budget = 256; },
      [](Cell& c) { c.batch = 2; },
      [](Cell& c) { c.scheduler.max_running = 2; },
      [](Cell& c) { c.block_size = PagedKvShape::kDefaultBlockSize; },
  };
  return changes;
}

/// What makes a request plainer or shorter.
const std::vector<RequestChange>& plainer_requests() {
  static const std::vector<RequestChange> changes = {
      [](Job& j) { j.arrival_ns = 0; },
      [](Job& j) { j.priority = 0; },
      [](Job& j) { j.request.stop.clear(); },
      [](Job& j) { j.request.sample_of.reset(); },
      [](Job& j) { j.request.sampling = {}; },
      [](Job& j) { set_prompt_length(j.request, (j.request.prompt_tokens + 1) / 2); },
      [](Job& j) { set_prompt_length(j.request, std::max<int64_t>(j.request.prompt_tokens - 1, 1)); },
      [](Job& j) { j.request.max_tokens = (j.request.max_tokens + 1) / 2; },
      [](Job& j) { j.request.max_tokens = std::max<int64_t>(j.request.max_tokens - 1, 1); },
  };
  return changes;
}

class Shrinker {
 public:
  Shrinker(const Cell& cell, const Fails& fails, int most_runs)
      : best_{cell, 0}, said_(describe(cell)), fails_(fails), most_runs_(most_runs) {}

  Shrunk run() {
    for (bool smaller = true; smaller;) {
      smaller = drop_requests();
      for (const CellChange& change : plainer_cells()) smaller = try_change(change) || smaller;
      smaller = change_all_requests() || smaller;
      smaller = change_each_request() || smaller;
    }
    return std::move(best_);
  }

 private:
  // Runs of neighbours: half of all, a quarter, ..., one.
  bool drop_requests() {
    bool smaller = false;
    for (size_t count = best_.cell.jobs.size() / 2; count > 0; count /= 2) {
      for (size_t first = 0; first + count <= best_.cell.jobs.size();) {
        const bool dropped = try_change([&](Cell& cell) {
          for (size_t i = count; i > 0; --i) cell.jobs = without_job(std::move(cell.jobs), first + i - 1);
        });
        smaller = smaller || dropped;
        if (!dropped) ++first;
      }
    }
    return smaller;
  }

  // Where requests have to stay alike, they can only shrink together.
  bool change_all_requests() {
    bool smaller = false;
    for (const RequestChange& change : plainer_requests()) {
      const auto change_all = [&](Cell& cell) {
        for (Job& job : cell.jobs) change(job);
      };
      while (try_change(change_all)) smaller = true;
    }
    return smaller;
  }

  bool change_each_request() {
    bool smaller = false;
    for (size_t i = 0; i < best_.cell.jobs.size(); ++i) {
      for (const RequestChange& change : plainer_requests()) {
        while (try_change([&](Cell& cell) { change(cell.jobs[i]); })) smaller = true;
      }
    }
    return smaller;
  }

  // True if the changed cell is another one and fails as well; it is then the best so far.
  bool try_change(const CellChange& change) {
    if (best_.runs >= most_runs_) return false;
    Cell changed = best_.cell;
    change(changed);
    std::string said = describe(changed);
    if (changed.jobs.empty() || said == said_) return false;
    ++best_.runs;
    if (!fails_(changed)) return false;
    best_.cell = std::move(changed);
    said_ = std::move(said);
    return true;
  }

  Shrunk best_;
  std::string said_;  // of the best cell: equal words, equal cells
  const Fails& fails_;
  int most_runs_;
};

}  // namespace

Shrunk shrink(const Cell& cell, const Fails& fails, int most_runs) { return Shrinker(cell, fails, most_runs).run(); }

}  // namespace stagecraft::testing
