#include "tests/engines/cell_run.h"

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/1_naive/engine.h"
#include "stages/2_kv_cache/engine.h"
#include "stages/3_batching/engine.h"
#include "stages/4_continuous_batching/engine.h"
#include "stages/6_speculative_decoding/draft_model.h"
#include "tests/engines/watched_engine.h"

namespace stagecraft::testing {
namespace {

std::string folder_of(const std::string& model) { return STAGECRAFT_SOURCE_DIR "/" + model; }

// Requests that no pool of this size can hold are refused, and nobody else notices.
void expect_refusals(const Cell& cell, RunLog& expected) {
  if (cell.stage < 5 || !cell.pool_blocks) return;
  for (size_t i = 0; i < cell.jobs.size(); ++i) {
    if (most_stored(cell.jobs[i].request) <= *cell.pool_blocks * cell.block_size) continue;
    RequestRecord& record = expected.requests[i];
    record.output_ids.clear();
    record.text.clear();
    record.finish_reason = FinishReason::refused;
  }
}

bool same_part(const StepPart& a, const StepPart& b) {
  return a.request == b.request && a.rows == b.rows && a.recomputed == b.recomputed && a.kv_length == b.kv_length &&
         a.found == b.found && a.drafted == b.drafted && a.accepted == b.accepted;
}

/// Empty, or where two runs of the same cell part.
std::string step_difference(const RunLog& first, const RunLog& second) {
  if (const std::string tokens = difference(first, second); !tokens.empty()) return tokens;
  if (first.steps.size() != second.steps.size()) return "not the same number of steps";
  for (size_t i = 0; i < first.steps.size(); ++i) {
    const StepRecord &a = first.steps[i], &b = second.steps[i];
    const bool same = std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(), same_part);
    if (!same || a.start != b.start) return fmt::format("step {} is another", i);
  }
  return "";
}

ScriptedDrafter scripted(const Cell& cell, int64_t vocabulary) {
  Script script{.right = cell.right, .seed = cell.seed};
  switch (cell.drafting) {
    case Drafting::oracle:
      script.kind = Script::Kind::oracle;
      break;
    case Drafting::always_wrong:
      script.kind = Script::Kind::always_wrong;
      break;
    case Drafting::accept_first:
      script.kind = Script::Kind::accept_first;
      break;
    case Drafting::random:
      script.kind = Script::Kind::random;
      return ScriptedDrafter(script, {}, vocabulary);
    default:
      script.kind = Script::Kind::empty;
      return ScriptedDrafter(script, {}, vocabulary);
  }
  return ScriptedDrafter(script, truth_of(cell), vocabulary);
}

}  // namespace

RunLog expected_of(const Cell& cell) {
  std::unique_ptr<StageEngine> engine = std::make_unique<KvCacheEngine>();
  if (cell.stage == 2) engine = std::make_unique<NaiveEngine>();
  RunLog expected = run_once(cell, engine_model(cell.model, "cpu"), *engine);
  expect_refusals(cell, expected);
  return expected;
}

TrueTokens truth_of(const Cell& cell) {
  Cell endless = cell;
  endless.end_of_text.clear();
  for (Job& job : endless.jobs) {
    Request& request = job.request;
    request.stop.clear();
    const int64_t room = engine_model(cell.model, "cpu").config().context - request.prompt_tokens;
    request.max_tokens = std::min(request.max_tokens + cell.length.length, room);
  }
  KvCacheEngine engine;
  const RunLog log = run_once(endless, engine_model(cell.model, "cpu"), engine);
  TrueTokens truth;
  for (const RequestRecord& request : log.requests) {
    std::vector<TokenId>& tokens = truth[request.id] = cell.jobs[size_t(request.id)].request.tokens;
    tokens.insert(tokens.end(), request.output_ids.begin(), request.output_ids.end());
  }
  return truth;
}

MakeDrafter drafter_of(const Cell& cell) {
  if (cell.drafting == Drafting::ngram) {
    return [how = cell.ngram](const RunInput&) { return std::make_unique<NgramDrafter>(how); };
  }
  if (cell.drafting == Drafting::model) {
    DraftModelOptions options;
    options.folder = folder_of(cell.draft_model);
    options.pool.block_size = cell.block_size;
    if (cell.draft_blocks) {
      const int64_t bytes_per_token = read_model_config(options.folder).kv_bytes_per_token(cell.kv_type);
      options.pool.kv_bytes = *cell.draft_blocks * cell.block_size * bytes_per_token;
    }
    const auto model = std::make_shared<DraftModel>(options, folder_of(cell.model));
    return [model](const RunInput& input) { return model->drafter_for(input); };
  }
  return [cell](const RunInput& input) {
    return std::make_unique<ScriptedDrafter>(scripted(cell, input.model.config().vocabulary));
  };
}

std::unique_ptr<StageEngine> engine_of(const Cell& cell, TestModel& on) {
  const PagedOptions paged = paged_options(cell, on.config().kv_bytes_per_token(cell.kv_type));
  const SpeculativeOptions speculative{.paged = paged, .length = cell.length};
  switch (cell.stage) {
    case 1:
      return std::make_unique<NaiveEngine>();
    case 2:
      return std::make_unique<KvCacheEngine>();
    case 3:
      return std::make_unique<StaticBatchEngine>(cell.batch);
    case 4:
      return std::make_unique<ContinuousEngine>(
          ContinuousOptions{.scheduler = cell.scheduler, .token_budget = cell.token_budget});
    case 5:
      if (cell.watched) return std::make_unique<WatchedEngine>(speculative, MakeDrafter{});
      return std::make_unique<PagedEngine>(paged);
    default:
      if (cell.watched) return std::make_unique<WatchedEngine>(speculative, drafter_of(cell));
      return std::make_unique<SpeculativeEngine>(speculative, drafter_of(cell));
  }
}

RunLog run_once(const Cell& cell, TestModel& on, StageEngine& engine) {
  KvPool pool = on.poisoned_pool(cell.kv_type, engine.kv_slots(cell.jobs, kv_memory_of(on.model(), cell.kv_type)));
  CostClock clock(RunOptions{}.cost);
  return on.engine().run(engine, cell.jobs, pool, {.end_of_text = cell.end_of_text, .clock = &clock});
}

CellRun run_cell(const Cell& cell) { return run_cell(cell, engine_model(cell.model, cell.device), engine_of); }

CellRun run_cell(const Cell& cell, TestModel& on, const MakeEngine& make_engine) {
  CellRun run;
  const auto failed = [&](CellRun::Verdict verdict, std::string what) {
    run.verdict = verdict;
    run.what = std::move(what);
  };
  try {
    const RunLog expected = expected_of(cell);
    const std::unique_ptr<StageEngine> engine = make_engine(cell, on);
    run.log = run_once(cell, on, *engine);
    run.what = difference(expected, run.log);
    if (run.what.empty() && cell.twice) run.what = step_difference(run.log, run_once(cell, on, *engine));
    if (!run.what.empty()) run.verdict = CellRun::Verdict::differs;
    if (const auto* const watched = dynamic_cast<const WatchedEngine*>(engine.get())) {
      run.sharing = watched->sharing();
      run.poisoned_blocks = watched->poisoned_blocks();
    }
  } catch (const BadInput& error) {
    failed(CellRun::Verdict::bad_input, fmt::format("it refuses to run: {} ({})", error.what(), error.hint()));
  } catch (const Failure& error) {
    failed(CellRun::Verdict::failure, fmt::format("it fails: {}", error.what()));
  } catch (const std::logic_error& error) {
    failed(CellRun::Verdict::broken_promise, fmt::format("it breaks a promise: {}", error.what()));
  }
  return run;
}

}  // namespace stagecraft::testing
