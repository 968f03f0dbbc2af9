/// @file
/// Lab 3: padding, and the loop of a static batch.
#include <algorithm>
#include <numeric>

#include "labs/support/check.h"

namespace {

using stagecraft::labs::Check;
using stagecraft::labs::Message;
using Integers = std::vector<int64_t>;
using Batches = std::vector<Integers>;

std::string words(const Integers& numbers) { return fmt::format("{}", fmt::join(numbers, " ")); }

Integers random_lengths(Check& check, int64_t count, uint32_t longest) {
  Integers lengths(static_cast<size_t>(count));
  for (int64_t& length : lengths) length = 1 + check.random().below(longest);
  return lengths;
}

// The law.

struct Padding {
  int64_t steps = 0, slots = 0, padded = 0;
};

/// Step by step.
Padding played(const Batches& batches) {
  Padding padding;
  for (const Integers& lengths : batches) {
    const int64_t longest = *std::max_element(lengths.begin(), lengths.end());
    for (int64_t step = 0; step < longest; ++step) {
      ++padding.steps;
      padding.slots += int64_t(lengths.size());
      padding.padded += std::count_if(lengths.begin(), lengths.end(), [&](int64_t length) { return length <= step; });
    }
  }
  return padding;
}

Message padding_of(Check& check, const Batches& batches) {
  Integers sizes, lengths;
  std::string text;
  for (const Integers& batch : batches) {
    sizes.push_back(int64_t(batch.size()));
    lengths.insert(lengths.end(), batch.begin(), batch.end());
    text += fmt::format("{}({})", text.empty() ? "" : " ", words(batch));
  }
  check.input("output lengths of {} batches: {}", batches.size(), text);
  check.step("padding_of(batches)");
  return check.call(Message("padding").set("sizes", sizes).set("lengths", lengths));
}

void expect_padding(Check& check, const Batches& batches) {
  const Padding expected = played(batches);
  const Message answer = padding_of(check, batches);
  const Integers& counts = answer.integers("counts");
  check.expect_equal("steps", expected.steps, counts.at(0));
  check.expect_equal("slots", expected.slots, counts.at(1));
  check.expect_equal("padded", expected.padded, counts.at(2));
  const double share = expected.slots == 0 ? 0.0 : double(expected.padded) / double(expected.slots);
  check.expect_close("share", {share}, answer.floats("share"), 1e-6);
}

Integers one_long() {
  Integers lengths(15, 32);
  lengths.push_back(64);
  return lengths;
}

// The choice.

/// Batches of request numbers; checked to be a partition.
Batches choose(Check& check, const Integers& lengths, int64_t places) {
  check.input("{} requests, {} places, output lengths {}", lengths.size(), places, words(lengths));
  check.step("choose_batches(lengths, {})", places);
  const Message answer = check.call(Message("choose").set("lengths", lengths).set("places", places));
  const Integers& requests = answer.integers("requests");
  Integers sorted = requests, all(lengths.size());
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 0);
  check.expect(sorted == all, fmt::format("each request of {} in exactly one batch", lengths.size()),
               requests.empty() ? "no request in any" : "the requests " + words(requests));
  Batches batches;
  auto next = requests.begin();
  for (const int64_t size : answer.integers("sizes")) {
    check.expect(size >= 1 && size <= places, fmt::format("batches of 1 to {} requests", places),
                 fmt::format("one of {}", size));
    batches.emplace_back(next, next + size);
    next += size;
  }
  return batches;
}

int64_t steps_of(const Batches& batches, const Integers& lengths) {
  int64_t steps = 0;
  for (const Integers& batch : batches) {
    int64_t longest = 0;
    for (const int64_t request : batch) longest = std::max(longest, lengths[size_t(request)]);
    steps += longest;
  }
  return steps;
}

/// The longest of all has to be somewhere; the best is to have the next longest beside it. Then the same with the rest.
int64_t fewest_steps(Integers lengths, int64_t places) {
  std::sort(lengths.rbegin(), lengths.rend());
  int64_t steps = 0;
  for (size_t first = 0; first < lengths.size(); first += size_t(places)) steps += lengths[first];
  return steps;
}

struct Queue {
  Integers lengths;
  int64_t places;
};

std::vector<Queue> queues(Check& check) {
  std::vector<Queue> all = {{{5}, 4}, {{3, 1, 2}, 2}, {{}, 3}};
  for (const int64_t count : check.sizes({31, 32, 33, 129})) {
    for (const int64_t places : {1, 4, 32}) all.push_back({random_lengths(check, count, 200), places});
  }
  return all;
}

// The loop.

struct Script {
  Integers arrivals, lengths;  // (requests)
  int64_t places;
};

struct Event {
  char kind;     // g: gathered, s: a step, r: released
  int64_t with;  // s: padded; r: whose
  Integers requests;
};

std::vector<Event> events_of(const Integers& trace) {
  std::vector<Event> events;
  for (size_t i = 0; i + 2 < trace.size();) {
    const size_t count = size_t(trace[i + 2]), end = std::min(trace.size(), i + 3 + count);
    events.push_back(
        {char(trace[i]), trace[i + 1], Integers(trace.begin() + int64_t(i) + 3, trace.begin() + int64_t(end))});
    i = end;
  }
  return events;
}

/// What the loop has to do, and what it has to count.
struct Play {
  std::vector<Event> events;
  Integers served{0, 0, 0};  // steps, rows, padded
};

Play play(Script script) {
  Play play;
  int64_t now = 0;
  for (size_t next = 0; next < script.arrivals.size();) {
    now = std::max(now, script.arrivals[next]);
    Integers batch;
    while (next < script.arrivals.size() && int64_t(batch.size()) < script.places && script.arrivals[next] <= now)
      batch.push_back(int64_t(next++));
    play.events.push_back({'g', 0, batch});
    for (;; ++now) {
      Integers rows;
      std::copy_if(batch.begin(), batch.end(), std::back_inserter(rows),
                   [&](int64_t request) { return script.lengths[size_t(request)] > 0; });
      if (rows.empty()) break;
      for (const int64_t request : rows) --script.lengths[size_t(request)];
      const int64_t padded = int64_t(batch.size() - rows.size());
      play.events.push_back({'s', padded, rows});
      ++play.served[0];
      play.served[1] += int64_t(rows.size());
      play.served[2] += padded;
    }
    for (const int64_t request : batch) play.events.push_back({'r', request, {}});
  }
  return play;
}

/// Lines to compare: of steps alone, or of everything. Releases that follow each other may come in any order.
std::vector<std::string> lines_of(std::vector<Event> events, bool steps_alone) {
  for (auto run = events.begin(); run != events.end();) {
    const auto end = std::find_if(run, events.end(), [](const Event& event) { return event.kind != 'r'; });
    std::sort(run, end, [](const Event& a, const Event& b) { return a.with < b.with; });
    run = end == events.end() ? end : end + 1;
  }
  std::vector<std::string> lines;
  for (const Event& event : events) {
    if (event.kind == 's') lines.push_back(fmt::format("step of requests {}", words(event.requests)));
    if (steps_alone) continue;
    if (event.kind == 'g' && !event.requests.empty()) lines.push_back("gather " + words(event.requests));
    if (event.kind == 'r') lines.push_back(fmt::format("release {}", event.with));
  }
  return lines;
}

void expect_lines(Check& check, const std::vector<std::string>& expected, const std::vector<std::string>& got) {
  for (size_t i = 0; i < std::max(expected.size(), got.size()); ++i) {
    const std::string want = i < expected.size() ? expected[i] : "the end", have = i < got.size() ? got[i] : "the end";
    if (i > 0 && i <= got.size()) check.step("{}", got[i - 1]);
    check.expect(want == have, fmt::format("then {}", want), have);
  }
}

Message serve(Check& check, const Script& script) {
  check.input("{} places; requests arrive at step {} and want {} tokens", script.places, words(script.arrivals),
              words(script.lengths));
  check.step("serve_in_batches(service, {})", script.places);
  return check.call(
      Message("serve").set("arrivals", script.arrivals).set("lengths", script.lengths).set("places", script.places));
}

std::vector<Script> scripts(Check& check) {
  std::vector<Script> all = {{{0, 0, 0}, {4, 1, 3}, 3},
                             {{0, 0, 0, 0, 0}, {2, 5, 1, 3, 4}, 2},
                             {{0, 1, 1, 2, 20}, {3, 2, 0, 4, 1}, 4},
                             {{3, 3}, {0, 0}, 2},
                             {{}, {}, 1}};
  for (const int64_t count : check.sizes({1, 33})) {
    Integers arrivals = random_lengths(check, count, 60);
    std::sort(arrivals.begin(), arrivals.end());
    all.push_back({arrivals, random_lengths(check, count, 9), 5});
  }
  return all;
}

}  // namespace

LAB_CHECK("lab03.t3.c1") {
  expect_padding(check, {{4, 1, 3}});
  expect_padding(check, {one_long()});
  for (const int64_t count : check.sizes({1, 31, 33})) expect_padding(check, {random_lengths(check, count, 300)});
}

LAB_CHECK("lab03.t3.c2") {
  expect_padding(check, {random_lengths(check, 8, 100), random_lengths(check, 8, 30), random_lengths(check, 3, 50)});
  expect_padding(check, {{0, 7, 0}, {0}});
  expect_padding(check, {{0, 0}});
  expect_padding(check, {});
}

LAB_CHECK("lab03.t3.c3") {
  for (const Queue& queue : queues(check)) choose(check, queue.lengths, queue.places);
}

LAB_CHECK("lab03.t3.c4") {
  for (const Queue& queue : queues(check)) {
    const Batches batches = choose(check, queue.lengths, queue.places);
    check.expect_at_most("steps", fewest_steps(queue.lengths, queue.places), steps_of(batches, queue.lengths));
  }
}

LAB_CHECK("lab03.t5.c1") {
  for (const Script& script : scripts(check)) {
    const Message answer = serve(check, script);
    expect_lines(check, lines_of(play(script).events, true), lines_of(events_of(answer.integers("trace")), true));
  }
}

LAB_CHECK("lab03.t5.c2") {
  for (const Script& script : scripts(check)) {
    const Message answer = serve(check, script);
    expect_lines(check, lines_of(play(script).events, false), lines_of(events_of(answer.integers("trace")), false));
  }
}

LAB_CHECK("lab03.t5.c3") {
  for (const Script& script : scripts(check)) {
    const Play expected = play(script);
    const Message answer = serve(check, script);
    const auto padded = [](const std::vector<Event>& events) {
      Integers each;
      for (const Event& event : events) {
        if (event.kind == 's') each.push_back(event.with);
      }
      return each;
    };
    check.expect_equal("padded places told to step", padded(expected.events),
                       padded(events_of(answer.integers("trace"))));
    check.expect_equal("{steps, rows, padded}", expected.served, answer.integers("served"));
  }
}

LAB_QUESTION("lab03.q2") { return double(padding_of(check, {one_long()}).integers("counts").at(2)); }
