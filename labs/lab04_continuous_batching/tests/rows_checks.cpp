/// @file
/// Lab 4, task 5: the work list and the gather.
#include "labs/lab04_continuous_batching/tests/describe.h"
#include "labs/support/check.h"

namespace {

using namespace lab04;
using stagecraft::labs::Check;
using Floats = std::vector<float>;

constexpr int64_t kWarp = 32, kSectorBytes = 32;

struct Pass {
  Integers query_start{0}, first;  // as sent
  Integers sequence, position;     // as expected
};

/// Single rows, chunks and, if `gaps`, sequences without a row: also the first and the last.
Pass random_pass(Check& check, int64_t sequences, bool gaps) {
  constexpr uint32_t kLongestChunk = 40, kMostComputed = 100;
  Pass pass;
  for (int64_t s = 0; s < sequences; ++s) {
    int64_t rows = check.random().below(2) == 0 ? 1 : 1 + check.random().below(kLongestChunk);
    if (gaps && sequences > 2 && (s == 0 || s == sequences - 1 || check.random().below(4) == 0)) rows = 0;
    if (gaps && s == 1) rows = 1 + check.random().below(kLongestChunk);  // one row there must be
    pass.first.push_back(check.random().below(kMostComputed));
    pass.query_start.push_back(pass.query_start.back() + rows);
    for (int64_t i = 0; i < rows; ++i) {
      pass.sequence.push_back(s);
      pass.position.push_back(pass.first.back() + i);
    }
  }
  return pass;
}

Message expand(Check& check, const Pass& pass) {
  check.input("{} sequences, {} rows; query_start: {}", pass.first.size(), pass.query_start.back(),
              listed(pass.query_start, [](int64_t start) { return fmt::format("{}", start); }));
  check.step("expand_rows(query_start, first, sequence, position, {}, {})", pass.query_start.back(), pass.first.size());
  return check.call(Message("expand_rows").set("query_start", pass.query_start).set("first", pass.first));
}

Message gather(Check& check, int64_t rows, int64_t count, int64_t width, Floats& expected) {
  const Floats x = check.random_floats(rows * width);
  Integers wanted;
  for (int64_t i = 0; i < count; ++i) wanted.push_back(check.random().below(uint32_t(rows)));
  wanted.back() = rows - 1;
  check.input("x is ({}, {}), random; wanted: {}", rows, width,
              listed(wanted, [](int64_t row) { return fmt::format("{}", row); }));
  check.step("gather_rows(x, wanted, out, {}, {})", count, width);
  expected.clear();
  for (const int64_t row : wanted)
    expected.insert(expected.end(), x.begin() + row * width, x.begin() + (row + 1) * width);
  return check.call(Message("gather_rows").set("x", x).set("wanted", wanted).set("width", width));
}

struct Shape {
  int64_t rows, count, width;
};
const Shape kShapes[] = {{1, 1, 1}, {5, 3, 31}, {40, 33, 32}, {9, 9, 33}, {130, 7, 129}, {64, 129, 200}};

/// Halvings until one is left.
int64_t halvings(int64_t count) {
  int64_t steps = 0;
  for (int64_t reach = 1; reach < count; reach *= 2) ++steps;
  return steps;
}

}  // namespace

LAB_CHECK("lab04.t5.c1") {
  for (const int64_t sequences : check.sizes({1, 2, 31, 32, 33, 127, 128, 129})) {
    for (const bool gaps : {false, true}) {
      const Pass pass = random_pass(check, sequences, gaps);
      const Message answer = expand(check, pass);
      check.expect_equal("sequence", pass.sequence, answer.integers("sequence"));
      check.expect_equal("position", pass.position, answer.integers("position"));
    }
  }
}

LAB_CHECK("lab04.t5.c2") {
  for (const Shape& shape : kShapes) {
    Floats expected;
    const Message answer = gather(check, shape.rows, shape.count, shape.width, expected);
    check.expect_equal("out", expected, answer.floats("out"));
  }
}

LAB_CHECK("lab04.t5.c3") {
  for (const int64_t sequences : check.sizes({1, 3, 33})) {
    const Pass pass = random_pass(check, sequences, sequences > 1);
    const Message answer = expand(check, pass);
    check.expect_no_findings(answer);
    check.expect_equal("sequence", pass.sequence, answer.integers("sequence"));
    check.expect_equal("position", pass.position, answer.integers("position"));
  }
  for (const Shape& shape : kShapes) {
    Floats expected;
    const Message answer = gather(check, shape.rows, shape.count, shape.width, expected);
    check.expect_no_findings(answer);
    check.expect_equal("out", expected, answer.floats("out"));
  }
}

LAB_CHECK("lab04.t5.c4") {
  for (const int64_t sequences : {16, 100, 500}) {
    constexpr int64_t kBesides = 4;  // the start that is found, `first`, and a lane that searches longer than others
    const Pass pass = random_pass(check, sequences, false);
    const Message answer = expand(check, pass);
    check.expect_equal("position", pass.position, answer.integers("position"));
    const int64_t warps = (pass.query_start.back() + kWarp - 1) / kWarp;
    check.step("the simulator counts the loads of {} warps", warps);
    check.expect_at_most("loads", warps * (halvings(sequences) + kBesides), answer.integer("global_load.requests"));
  }
  constexpr int64_t kCount = 40, kWidth = 256;
  Floats expected;
  const Message answer = gather(check, 100, kCount, kWidth, expected);
  check.expect_equal("out", expected, answer.floats("out"));
  const int64_t most = kCount * kWidth * int64_t(sizeof(float)) * 3 / 2 / kSectorBytes;
  check.step("the simulator counts the sectors that gather_rows moves");
  check.expect_at_most("sectors moved by loads", most, answer.integer("global_load.moved"));
  check.expect_at_most("sectors moved by stores", most, answer.integer("global_store.moved"));
}
