#include "stages/compare/stage_list.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/1_naive/engine.h"
#include "stages/2_kv_cache/engine.h"
#include "stages/3_batching/engine.h"
#include "stages/4_continuous_batching/engine.h"
#include "stages/5_paged_attention/engine.h"
#include "stages/6_speculative_decoding/engine.h"
#include "stages/6_speculative_decoding/ngram_drafter.h"
#include "stages/core/parse_number.h"

namespace stagecraft {
namespace {

ContinuousOptions continuous(const EngineLimits& limits) {
  ContinuousOptions options;
  options.scheduler.max_running = limits.batch;
  options.token_budget = limits.token_budget;
  return options;
}

PagedOptions paged(const EngineLimits& limits) {
  const ContinuousOptions same = continuous(limits);
  return {same.scheduler, same.token_budget, {}};
}

/// With the drafter that needs no second model.
std::unique_ptr<StageEngine> speculative(const EngineLimits& limits) {
  return std::make_unique<SpeculativeEngine>(SpeculativeOptions{paged(limits), {}, Verifier::exact_match},
                                             [](const RunInput&) { return std::make_unique<NgramDrafter>(); });
}

std::string known_numbers(const std::vector<StageEntry>& stages) {
  std::string text;
  for (const StageEntry& stage : stages) text += fmt::format("{}{}", text.empty() ? "" : ",", stage.info.number);
  return text;
}

}  // namespace

std::vector<StageEntry> all_stages() {
  return {
      {{1, "naive", "stage1_naive", "the whole sequence is computed again for every token"},
       false,
       [](const EngineLimits&) { return std::make_unique<NaiveEngine>(); }},
      {{2, "kv_cache", "stage2_kv_cache", "keys and values are kept: every token is computed once"},
       false,
       [](const EngineLimits&) { return std::make_unique<KvCacheEngine>(); }},
      {{3, "batching", "stage3_batching", "requests take their steps together, the slowest holds them all"},
       true,
       [](const EngineLimits& limits) { return std::make_unique<StaticBatchEngine>(limits.batch); }},
      {{4, "continuous_batching", "stage4_continuous_batching", "requests join and leave at every step"},
       true,
       [](const EngineLimits& limits) { return std::make_unique<ContinuousEngine>(continuous(limits)); }},
      {{5, "paged_attention", "stage5_paged_attention",
        "K/V in blocks, taken when needed and shared where prompts agree"},
       true,
       [](const EngineLimits& limits) { return std::make_unique<PagedEngine>(paged(limits)); }},
      {{6, "speculative_decoding", "stage6_speculative_decoding", "n-gram drafts are checked in one pass"},
       true,
       speculative},
  };
}

std::vector<StageEntry> stages_from(std::string_view list) {
  const std::vector<StageEntry> known = all_stages();
  std::vector<StageEntry> chosen;
  for (bool more = true; more;) {
    const size_t comma = list.find(',');
    more = comma != std::string_view::npos;
    const int number = parse_number("--stages", list.substr(0, comma), 0, 1 << 16);
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const StageEntry& stage) { return stage.info.number == number; });
    if (found == known.end()) {
      throw BadInput(fmt::format("--stages: there is no stage {}", number),
                     "those that can be compared are " + known_numbers(known));
    }
    if (!chosen.empty() && chosen.back().info.number >= number) {
      throw BadInput(fmt::format("--stages: {} comes after {}", number, chosen.back().info.number),
                     "name each stage once, in order: each is shown against the one before it");
    }
    chosen.push_back(*found);
    if (more) list.remove_prefix(comma + 1);
  }
  return chosen;
}

}  // namespace stagecraft
