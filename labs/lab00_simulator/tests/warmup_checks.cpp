/// @file
/// Lab 0: what a right solution does. Inputs come from the check's seed; lengths lie around warps, blocks and beyond.
#include <numeric>

#include "labs/support/check.h"

namespace {

using stagecraft::labs::Check;
using stagecraft::labs::Message;
using Floats = std::vector<float>;

constexpr double kFewInVain = 1.05;  // times the ideal
constexpr int64_t kSectorBytes = 32;

/// "The sectors that `floats` floats fill" times `factor`, rounded up.
int64_t sectors(int64_t floats, double factor) {
  return int64_t(factor * double(floats * int64_t(sizeof(float))) / double(kSectorBytes)) + 1;
}

Message add(Check& check, int64_t n, Floats& expected) {
  const Floats a = check.random_floats(n), b = check.random_floats(n);
  check.input("n = {}; a and b are random in (-1, 1)", n);
  check.step("vector_add(a, b, sum, {}) on device memory; sum holds NaNs before", n);
  expected.resize(size_t(n));
  for (size_t i = 0; i < expected.size(); ++i) expected[i] = a[i] + b[i];
  return check.call(Message("vector_add").set("a", a).set("b", b));
}

struct Rows {
  int64_t rows, width;
};

const Rows kShapes[] = {{1, 1}, {3, 33}, {64, 31}, {129, 64}, {40, 200}};

Message scale(Check& check, Rows shape, Floats& expected) {
  const Floats x = check.random_floats(shape.rows * shape.width), factors = check.random_floats(shape.rows);
  check.input("rows = {}, width = {}; x and factors are random in (-1, 1)", shape.rows, shape.width);
  check.step("scale_rows(x, factors, out, {}, {}); out holds NaNs before", shape.rows, shape.width);
  expected.resize(x.size());
  for (size_t i = 0; i < x.size(); ++i) expected[i] = x[i] * factors[i / size_t(shape.width)];
  return check.call(
      Message("scale_rows").set("x", x).set("factors", factors).set("rows", shape.rows).set("width", shape.width));
}

/// Whole numbers: their sums are exact in any order.
Message add_up(Check& check, int64_t n, float& expected) {
  Floats x(static_cast<size_t>(n));
  for (float& value : x) value = float(check.random().below(15)) - 4.0f;
  check.input("n = {}; x holds random whole numbers from -4 to 10", n);
  check.step("sum(x, sum, {}); sum[0] is 0 before", n);
  expected = std::accumulate(x.begin(), x.end(), 0.0f);
  return check.call(Message("sum").set("x", x));
}

Message smoothed(Check& check, int64_t n, std::vector<double>& expected) {
  const Floats x = check.random_floats(n);
  check.input("n = {}; x is random in (-1, 1)", n);
  check.step("smooth(x, out, {}); out holds NaNs before; the warps run in an order drawn from the seed", n);
  expected.resize(size_t(n));
  for (size_t i = 0; i < expected.size(); ++i) {
    const size_t before = i == 0 ? 0 : i - 1, after = std::min(i + 1, expected.size() - 1);
    expected[i] = (double(x[before]) + double(x[i]) + double(x[after])) / 3.0;
  }
  return check.call(Message("smooth").set("x", x));
}

}  // namespace

LAB_CHECK("lab00.t1.c1") {
  for (const int64_t n : check.sizes({1, 31, 32, 33, 255, 256, 257, 1000})) {
    Floats expected;
    const Message answer = add(check, n, expected);
    check.expect_equal("sum", expected, answer.floats("sum"));
  }
}

LAB_CHECK("lab00.t1.c2") {
  for (const int64_t n : check.sizes({1, 33, 257, 1000})) {
    Floats expected;
    const Message answer = add(check, n, expected);
    check.expect_no_findings(answer);
    check.expect_equal("sum", expected, answer.floats("sum"));
  }
}

LAB_CHECK("lab00.t1.c3") {
  for (const int64_t n : check.sizes({4096})) {
    Floats expected;
    const Message answer = add(check, n, expected);
    check.expect_equal("sum", expected, answer.floats("sum"));
    check.step("the simulator counts the sectors of 32 bytes that the kernel moves");
    check.expect_at_most("sectors moved by loads", sectors(2 * n, kFewInVain), answer.integer("global_load.moved"));
    check.expect_at_most("sectors moved by stores", sectors(n, kFewInVain), answer.integer("global_store.moved"));
  }
}

LAB_CHECK("lab00.t2.c1") {
  for (const Rows shape : kShapes) {
    Floats expected;
    const Message answer = scale(check, shape, expected);
    check.expect_equal("out", expected, answer.floats("out"));
  }
}

LAB_CHECK("lab00.t2.c2") {
  for (const Rows shape : kShapes) {
    Floats expected;
    const Message answer = scale(check, shape, expected);
    check.expect_no_findings(answer);
    check.expect_equal("out", expected, answer.floats("out"));
  }
}

LAB_CHECK("lab00.t2.c3") {
  const Rows shape{128, 64};
  Floats expected;
  const Message answer = scale(check, shape, expected);
  check.expect_equal("out", expected, answer.floats("out"));
  check.step("the simulator counts the sectors of 32 bytes that stores move");
  check.expect_at_most("sectors moved by stores", sectors(shape.rows * shape.width, kFewInVain),
                       answer.integer("global_store.moved"));
}

LAB_CHECK("lab00.t2.c4") {
  const Rows shape{128, 64};
  Floats expected;
  const Message answer = scale(check, shape, expected);
  check.expect_equal("out", expected, answer.floats("out"));
  check.step("the simulator counts the sectors of 32 bytes that loads move");
  check.expect_at_most("sectors moved by loads", sectors(shape.rows * shape.width, 2.0),
                       answer.integer("global_load.moved"));
}

LAB_CHECK("lab00.t3.c1") {
  for (const int64_t n : check.sizes({1, 31, 33, 255, 256, 257, 2047, 5000})) {
    float expected = 0.0f;
    const Message answer = add_up(check, n, expected);
    check.expect_equal("sum", Floats{expected}, answer.floats("sum"));
  }
}

LAB_CHECK("lab00.t3.c2") {
  for (const int64_t n : check.sizes({1, 33, 257, 5000})) {
    float expected = 0.0f;
    const Message answer = add_up(check, n, expected);
    check.expect_no_findings(answer);
    check.expect_equal("sum", Floats{expected}, answer.floats("sum"));
  }
}

LAB_CHECK("lab00.t3.c3") {
  const int64_t n = 8192;
  float expected = 0.0f;
  const Message answer = add_up(check, n, expected);
  check.expect_equal("sum", Floats{expected}, answer.floats("sum"));
  check.step("the simulator counts bytes and sectors of global loads");
  constexpr int64_t kBytesABlock = 64;
  check.expect_at_most("bytes asked for by global loads",
                       n * int64_t(sizeof(float)) + kBytesABlock * answer.integer("blocks"),
                       answer.integer("global_load.bytes"));
  constexpr int64_t kSectorsABlock = 2;
  check.expect_at_most("sectors moved by loads", sectors(n, kFewInVain) + kSectorsABlock * answer.integer("blocks"),
                       answer.integer("global_load.moved"));
}

LAB_CHECK("lab00.t3.c4") {
  float expected = 0.0f;
  const Message answer = add_up(check, 8192, expected);
  check.expect_equal("sum", Floats{expected}, answer.floats("sum"));
  check.step("the simulator counts the wavefronts of shared memory");
  check.expect_at_least("requests to shared memory", 1, answer.integer("shared_store.requests"));
  for (const char* operation : {"shared_load", "shared_store"}) {
    check.expect_at_most(fmt::format("{} wavefronts", operation), answer.integer(std::string(operation) + ".ideal"),
                         answer.integer(std::string(operation) + ".moved"));
  }
}

LAB_CHECK("lab00.t4.c1") {
  for (const int64_t n : check.sizes({1, 2, 127, 128, 129, 1000})) {
    std::vector<double> expected;
    const Message answer = smoothed(check, n, expected);
    check.expect_close("out", expected, answer.floats("out"), 1e-6);
  }
}

LAB_CHECK("lab00.t4.c2") {
  for (const int64_t n : check.sizes({128, 1000})) {
    std::vector<double> expected;
    const Message answer = smoothed(check, n, expected);
    check.expect_no_findings(answer);
    check.expect_close("out", expected, answer.floats("out"), 1e-6);
  }
}

LAB_CHECK("lab00.t4.c3") {
  const int64_t n = 4096;
  std::vector<double> expected;
  const Message answer = smoothed(check, n, expected);
  check.expect_close("out", expected, answer.floats("out"), 1e-6);
  check.step("the simulator counts the bytes that global loads ask for");
  constexpr int64_t kBytesABlock = 8;
  check.expect_at_most("bytes asked for by global loads",
                       n * int64_t(sizeof(float)) + kBytesABlock * answer.integer("blocks"),
                       answer.integer("global_load.bytes"));
}

LAB_QUESTION("lab00.q1") {
  Floats expected;
  const Message answer = add(check, 4096, expected);
  return double(answer.integer("global_load.moved")) / double(answer.integer("global_load.requests"));
}

LAB_QUESTION("lab00.q2") {
  constexpr int64_t kElements = 1000;
  Floats expected;
  const Message answer = add(check, kElements, expected);
  return double(answer.integer("threads") - kElements);
}

LAB_QUESTION("lab00.q3") { return 32; }

LAB_QUESTION("lab00.q4") {
  float expected = 0.0f;
  const Message answer = add_up(check, 100000, expected);
  return double(answer.integer("barriers")) / double(answer.integer("blocks"));
}
