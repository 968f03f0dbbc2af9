#include "tests/engines/step_watch.h"

#include "tests/stages/mixed_requests.h"

namespace stagecraft::testing {

Cell busy_cell() {
  Cell cell;
  cell.stage = 6;
  cell.model = "tests/golden/models/llama";
  cell.scheduler = {.max_running = 4, .max_chunk = 6};
  cell.token_budget = 11;
  cell.block_size = 2;
  cell.pool_blocks = 16;
  cell.watched = true;
  cell.drafting = Drafting::accept_first;
  cell.right = 2;
  cell.length.length = 4;
  const ModelConfig& config = engine_model(cell.model, cell.device).config();
  for (int id = 0; id < 5; ++id) {
    cell.jobs.push_back(simple_job(id, id == 0 ? 1 : 4 + 3 * id, id == 0 ? 9 : 12 - 2 * id, config));
    cell.jobs.back().request.sampling = {.temperature = id % 2 ? 1.5f : 0.0f, .seed = uint64_t(id)};
  }
  Request &first = cell.jobs[2].request, &sample = cell.jobs[3].request;
  sample.tokens = first.tokens;
  sample.prompt_tokens = first.prompt_tokens;
  sample.sample_of = first.id;
  cell.jobs[4].arrival_ns = 4'000'000;
  return cell;
}

RunLog run_with_steps(const Cell& cell, StageEngine& engine,
                      const std::function<bool(const Request&, size_t steps)>& cancelled) {
  TestModel& on = engine_model(cell.model, cell.device);
  KvPool pool = on.poisoned_pool(cell.kv_type, engine.kv_slots(cell.jobs, kv_memory_of(on.model(), cell.kv_type)));
  CostClock clock(RunOptions{}.cost);
  size_t steps = 0;
  RunSettings settings{.end_of_text = cell.end_of_text, .clock = &clock};
  settings.cancelled = [&](const Request& request) { return cancelled(request, steps); };
  settings.after_step = [&](const RunProgress& progress) { steps = progress.steps.size(); };
  return on.engine().run(engine, cell.jobs, pool, settings);
}

}  // namespace stagecraft::testing
