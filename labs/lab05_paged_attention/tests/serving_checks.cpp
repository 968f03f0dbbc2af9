/// @file
/// Lab 5, task 4: loads under which the pool runs out, served by the engine's scheduler with the learner's functions and by
/// the engine's own. Time is counted in steps.
#include <string>

#include "labs/lab05_paged_attention/runner/scripts.h"
#include "labs/support/check.h"

namespace {

using namespace lab05::scripts;
using stagecraft::labs::Check;
using stagecraft::labs::Message;

constexpr int64_t kMostSteps = 4000;

/// `requests` of random lengths, each of which fits into the pool when it is alone.
Load random_load(Check& check, int64_t requests, int64_t blocks, int64_t block_size) {
  Load load{blocks, block_size, 0, 64, 1, kMostSteps, {}, {}, {}};
  const int64_t most = blocks * block_size;
  int64_t arrival = 0;
  for (int64_t i = 0; i < requests; ++i) {
    const int64_t prompt = 1 + check.random().below(uint32_t(most / 3));
    load.arrivals.push_back(arrival);
    load.prompts.push_back(prompt);
    load.outputs.push_back(1 + check.random().below(uint32_t(most - prompt + 1)));
    arrival += check.random().below(4);
  }
  return load;
}

/// As much as the load needs is free whenever somebody is let in: nobody is preempted, and the watermark decides.
Load roomy_load(Check& check, int64_t watermark) {
  constexpr int64_t kBlockSize = 4;
  Load load{24, kBlockSize, watermark, 64, 1, kMostSteps, {}, {}, {}};
  for (int64_t i = 0; i < 16; ++i) {
    load.arrivals.push_back(i / 2);
    load.prompts.push_back(1 + check.random().below(40));
    load.outputs.push_back(1 + check.random().below(3));
  }
  return load;
}

Served served_by_learner(Check& check, const Load& load) {
  check.input("a pool of {} blocks of {} tokens, watermark {}, {} requests; request 0: prompt of {}, {} tokens wanted",
              load.blocks, load.block_size, load.watermark, load.prompts.size(), load.prompts[0], load.outputs[0]);
  check.step("the engine's scheduler serves them with your lets_in and make_room");
  const Message answer = check.call(Message("load")
                                        .set("blocks", load.blocks)
                                        .set("block_size", load.block_size)
                                        .set("watermark", load.watermark)
                                        .set("budget", load.budget)
                                        .set("prefix_cache", load.prefix_cache)
                                        .set("most_steps", load.most_steps)
                                        .set("arrivals", load.arrivals)
                                        .set("prompts", load.prompts)
                                        .set("outputs", load.outputs));
  Served served;
  served.events = answer.integers("events");
  served.steps = answer.integer("steps");
  served.unfinished = answer.integer("unfinished");
  served.recomputed = answer.integer("recomputed");
  served.stuck = answer.integer("stuck") == 1;
  return served;
}

/// The events of one kind, told.
std::vector<std::string> told(const Served& served, Event kind) {
  const char* const verbs[] = {"lets in", "preempts", "ends"};
  std::vector<std::string> texts;
  for (size_t i = 0; i < served.events.size(); i += 3) {
    if (served.events[i + 1] != kind) continue;
    texts.push_back(fmt::format("step {} {} request {}", served.events[i], verbs[kind], served.events[i + 2]));
  }
  return texts;
}

/// The events of one kind are those of the engine's own scheduler.
void expect_same(Check& check, const Load& load, Event kind) {
  constexpr size_t kShown = 8;
  const std::vector<std::string> got = told(served_by_learner(check, load), kind),
                                 expected = told(play_load(load), kind);
  for (size_t i = 0; i < std::max(got.size(), expected.size()); ++i) {
    const std::string nothing = kind == preempted ? "nobody more is preempted" : "nobody more is let in";
    const std::string mine = i < got.size() ? got[i] : nothing, right = i < expected.size() ? expected[i] : nothing;
    check.expect(mine == right, right, mine);
    if (i < kShown) check.step("{}", mine);
  }
}

void expect_all_end(Check& check, const Load& load, const Served& served) {
  const std::string got =
      served.stuck ? fmt::format("step {} computes nothing, and {} requests wait", served.steps, served.unfinished)
                   : fmt::format("after {} steps {} have not ended", served.steps, served.unfinished);
  check.expect(served.unfinished == 0,
               fmt::format("all {} requests end within {} steps", load.prompts.size(), load.most_steps), got);
}

}  // namespace

LAB_CHECK("lab05.t4.c1") {
  // Two that fill the pool: prompts of 8, and each wants all of it.
  expect_same(check, {8, 4, 0, 64, 0, kMostSteps, {0, 0}, {8, 8}, {24, 24}}, preempted);
  for (const int64_t requests : check.sizes({2, 3, 6, 12})) {
    expect_same(check, random_load(check, requests, 16, 4), preempted);
  }
}

LAB_CHECK("lab05.t4.c2") {
  for (const int64_t block_size : {1, 4}) {
    for (const int64_t requests : check.sizes({1, 2, 9, 20})) {
      const Load load = random_load(check, requests, 12, block_size);
      expect_all_end(check, load, served_by_learner(check, load));
    }
  }
}

LAB_CHECK("lab05.t4.c3") {
  for (const int64_t watermark : {0, 1, 4, 9}) expect_same(check, roomy_load(check, watermark), let_in);
}

LAB_CHECK("lab05.t4.c4") {
  for (const int64_t prefix_cache : {0, 1}) {
    for (const int64_t watermark : {0, 2}) {
      Load load = random_load(check, 12, 16, 4);
      load.prefix_cache = prefix_cache;
      load.watermark = watermark;
      const Served served = served_by_learner(check, load);
      expect_all_end(check, load, served);
      check.expect_at_most("tokens computed again", play_load(load).recomputed, served.recomputed);
    }
  }
}

LAB_CHECK("lab05.t4.c5") {
  for (const int64_t block_size : {1, 4, 16}) {
    for (const int64_t prefix_cache : {0, 1}) {
      constexpr int64_t kBlocks = 9;
      Numbers references, order;
      for (int64_t block = 0; block < kBlocks; ++block) {
        references.push_back(1 + check.random().below(3));
        order.insert(order.begin() + check.random().below(uint32_t(block + 1)), block);
      }
      const Numbers table(order.begin(), order.begin() + 1 + check.random().below(kBlocks - 1));
      const int64_t positions = int64_t(table.size()) * block_size;
      const int64_t computed = positions - check.random().below(uint32_t(block_size + 1));
      check.input("blocks of {} tokens, a table of {} blocks, {} tokens computed, {} prefix cache", block_size,
                  table.size(), computed, prefix_cache ? "with a" : "no");
      check.step("preemption_cost(pool, table, {}, {}, {}); references of the table's blocks: {}", computed, block_size,
                 prefix_cache == 1, [&] {
                   std::string text;
                   for (const int64_t block : table) text += fmt::format("{} ", references[size_t(block)]);
                   return text;
                 }());
      const Message answer = check.call(Message("preemption_cost")
                                            .set("blocks", kBlocks)
                                            .set("references", references)
                                            .set("table", table)
                                            .set("computed", computed)
                                            .set("block_size", block_size)
                                            .set("prefix_cache", prefix_cache));
      const int64_t alone =
          std::count_if(table.begin(), table.end(), [&](int64_t block) { return references[size_t(block)] == 1; });
      check.expect_equal("blocks that become available", alone, answer.integer("freed"));
      check.expect_equal("tokens computed again", prefix_cache ? computed % block_size : computed,
                         answer.integer("tokens"));
    }
  }
}

LAB_QUESTION("lab05.q4") {
  return double(served_by_learner(check, {8, 4, 0, 64, 0, kMostSteps, {0, 0}, {8, 8}, {24, 24}}).recomputed);
}
