/// @file
/// From a seed and a number to a cell: the engine's options. The requests: cell_requests.cpp.
#include <algorithm>
#include <limits>

#include "stages/core/random_stream.h"
#include "tests/engines/cell.h"
#include "tests/engines/cell_requests.h"
#include "tests/engines/engine_models.h"

namespace stagecraft::testing {
namespace {

const std::string kTales = "models/tales-400k", kLargerTales = "models/tales-5m";
const std::string kGolden = "tests/golden/models/";

int64_t blocks_for(int64_t tokens, int64_t block_size) { return (tokens + block_size - 1) / block_size; }

class CellWriter {
 public:
  CellWriter(uint64_t seed, int number) : random_(seed, uint64_t(number)) {
    cell_.seed = seed;
    cell_.number = number;
  }

  Cell write() {
    cell_.stage = pick({1, 2, 3, 3, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6});
    choose_place();
    choose_schedule();
    choose_pages();
    if (cell_.stage == 6) choose_drafter();
    TestModel& on = engine_model(cell_.model, cell_.device);
    if (one_in(2)) choose_ends(on);
    cell_.jobs = draw_jobs(cell_, random_, on.config());
    if (cell_.stage >= 5) choose_pool();
    return std::move(cell_);
  }

 private:
  template <class T>
  T pick(std::initializer_list<T> values) {
    return *(values.begin() + random_.below(uint32_t(values.size())));
  }
  std::string pick_name(std::initializer_list<const char*> names) { return pick(names); }
  bool one_in(uint32_t n) { return random_.below(n) == 0; }

  void choose_place() {
    const std::vector<std::string>& devices = engine_devices();
    cell_.device = one_in(3) ? devices[size_t(random_.below(uint32_t(devices.size())))] : "cpu";
    cell_.kv_type = pick({NumberType::bf16, NumberType::bf16, NumberType::fp16, NumberType::fp32});
    cell_.twice = one_in(8);
    if (cell_.device == "cpu" && one_in(24)) {
      cell_.model = kLargerTales;
    } else if (cell_.device != "sim" && !one_in(4)) {
      cell_.model = kTales;
    } else {
      cell_.model = kGolden + pick_name({"llama", "llama", "qwen3", "qwen2", "llama-mha-untied-fp32"});
    }
  }

  void choose_schedule() {
    cell_.batch = pick({1, 2, 3, 8, 16});
    SchedulerOptions& scheduler = cell_.scheduler;
    scheduler.policy = pick({Policy::fcfs, Policy::shortest_prompt_first, Policy::priority});
    scheduler.max_running = pick({1, 2, 3, 5, 8, 16});
    scheduler.max_chunk = pick<int64_t>({1, 2, 7, 16, 63, 64, 65, SchedulerOptions::kWholePrompt});
    scheduler.max_overtakes = pick<int64_t>({0, 2, SchedulerOptions::kDefaultOvertakes});
    cell_.token_budget = pick<int64_t>({1, 5, 17, 64, 64, 256});
  }

  void choose_pages() {
    cell_.block_size = pick<int64_t>({1, 2, 16, 32, 256});
    cell_.prefix_cache = !one_in(4);
    cell_.watermark = pick({0.0, PagedPoolOptions::kDefaultWatermark, 0.2});
    cell_.watched = cell_.stage >= 5 && one_in(2);
  }

  void choose_drafter() {
    cell_.drafting = pick({Drafting::oracle, Drafting::oracle, Drafting::always_wrong, Drafting::accept_first,
                           Drafting::random, Drafting::ngram, Drafting::ngram, Drafting::model, Drafting::model});
    cell_.right = pick({1, 2, 5});
    cell_.ngram.min_match = pick({1, 2});
    cell_.ngram.max_match = pick({2, 4});
    cell_.length.adaptive = one_in(3);
    cell_.length.length = pick({1, 2, 4, 7, 8});
    cell_.length.most = pick({8, 16});
    if (cell_.drafting != Drafting::model) return;
    if (cell_.device == "cpu" && cell_.model == kTales && one_in(4)) cell_.model = kLargerTales;
    cell_.draft_model = draft_model_for(cell_.model);
  }

  // A smaller model of the same tokenizer where there is one, else the model itself: then all is accepted.
  std::string draft_model_for(const std::string& target) {
    if (target == kLargerTales) return kTales;
    if (target == kGolden + "qwen3") return kGolden + pick_name({"llama-rope-linear", "qwen3"});
    return target;
  }

  // Enough of them that some text ends by itself.
  void choose_ends(TestModel& on) {
    constexpr int kRandomEnds = 4;
    cell_.end_of_text = on.config().end_of_text;
    if (cell_.model == kTales || cell_.model == kLargerTales) {
      for (const char* word : {".", " the", " was"}) cell_.end_of_text.push_back(on.tokenizer().encode(word).front());
    }
    for (int i = 0; i < kRandomEnds; ++i) {
      cell_.end_of_text.push_back(TokenId(random_.below(uint32_t(on.config().vocabulary))));
    }
  }

  // From too small for one of the requests to large enough for all.
  void choose_pool() {
    int64_t smallest = std::numeric_limits<int64_t>::max(), all = 0;
    for (const Job& job : cell_.jobs) {
      const int64_t blocks = blocks_for(most_stored(job.request), cell_.block_size);
      smallest = std::min(smallest, blocks);
      all += blocks;
    }
    const int64_t largest = blocks_for(most_stored(cell_.jobs), cell_.block_size);
    if (cell_.drafting == Drafting::model && one_in(2))
      cell_.draft_blocks = smallest + random_.below(uint32_t(largest));
    switch (random_.below(8)) {
      case 0:
        return;  // by need
      case 1:
        cell_.pool_blocks = std::max(smallest, largest - 1);
        return;
      case 2:
      case 3:
        cell_.pool_blocks = largest;
        return;
      default:
        cell_.pool_blocks = largest + random_.below(uint32_t(std::max<int64_t>(all - largest, 1)) / 2 + 1);
    }
  }

  RandomStream random_;
  Cell cell_;
};

}  // namespace

Cell draw_cell(uint64_t seed, int number) { return CellWriter(seed, number).write(); }

PagedOptions paged_options(const Cell& cell, int64_t kv_bytes_per_token) {
  PagedOptions options;
  options.scheduler = cell.scheduler;
  options.token_budget = cell.token_budget;
  options.pool.block_size = cell.block_size;
  options.pool.watermark = cell.watermark;
  options.pool.prefix_cache = cell.prefix_cache;
  if (cell.pool_blocks) options.pool.kv_bytes = *cell.pool_blocks * cell.block_size * kv_bytes_per_token;
  return options;
}

}  // namespace stagecraft::testing
