/// @file
/// Lab 3: the batched product, against the contract's bits and the sectors that it may move.
#include "kernels/exact_math.h"
#include "kernels/number_types.h"
#include "labs/support/check.h"

namespace {

using stagecraft::bf16;
using stagecraft::labs::Check;
using stagecraft::labs::Message;
using Floats = std::vector<float>;

constexpr int64_t kRowTile = 8, kOutputTile = 4;

struct Shape {
  int64_t rows, in, out_width;
};

struct Product {
  Floats expected;
  Message answer;
};

Product linear(Check& check, const Shape& shape) {
  const Floats x = check.random_floats(shape.rows * shape.in);
  std::vector<bf16> weight;
  std::vector<int64_t> bits;
  for (const float value : check.random_floats(shape.out_width * shape.in)) {
    weight.push_back(stagecraft::round_to_bf16(value));
    bits.push_back(weight.back().bits);
  }
  check.input("rows = {}, in = {}, out_width = {}; x and weights random in (-1, 1)", shape.rows, shape.in,
              shape.out_width);
  check.step("linear(x, weight, out, {}, {}, {})", shape.rows, shape.in, shape.out_width);
  Product product;
  for (int64_t r = 0; r < shape.rows; ++r) {
    for (int64_t o = 0; o < shape.out_width; ++o) {
      product.expected.push_back(
          stagecraft::exact_dot(x.data() + r * shape.in, weight.data() + o * shape.in, shape.in));
    }
  }
  product.answer = check.call(Message("linear")
                                  .set("x", x)
                                  .set("weight", bits)
                                  .set("rows", shape.rows)
                                  .set("in", shape.in)
                                  .set("out_width", shape.out_width));
  return product;
}

int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Sectors that loads need for the weights and for x, each as often as the tiles want them.
int64_t ideal_sectors(const Shape& shape) {
  constexpr int64_t kSectorBytes = 32;
  const int64_t weights = divide_up(shape.rows, kRowTile) * shape.out_width * shape.in * int64_t(sizeof(bf16));
  const int64_t x = divide_up(shape.out_width, kOutputTile) * shape.rows * shape.in * int64_t(sizeof(float));
  return (weights + x) / kSectorBytes;
}

constexpr Shape kOneRow{1, 256, 96}, kEightRows{8, 256, 96};

}  // namespace

LAB_CHECK("lab03.t1.c1") {
  for (const Shape& shape : {Shape{8, 64, 16}, Shape{16, 128, 48}, Shape{8, 320, 32}}) {
    const Product product = linear(check, shape);
    check.expect_equal("out", product.expected, product.answer.floats("out"));
  }
}

LAB_CHECK("lab03.t1.c2") {
  for (const int64_t rows : check.sizes({1, 7, 9, 31, 33})) {
    for (const Shape& shape : {Shape{rows, 100, 33}, Shape{rows, 33, 5}, Shape{rows, 129, 1}}) {
      const Product product = linear(check, shape);
      check.expect_equal("out", product.expected, product.answer.floats("out"));
    }
  }
  const Product single = linear(check, {1, 1, 1});
  check.expect_equal("out", single.expected, single.answer.floats("out"));
}

LAB_CHECK("lab03.t1.c3") {
  for (const Shape& shape : {Shape{8, 64, 16}, Shape{1, 31, 129}, Shape{13, 65, 30}, Shape{17, 257, 3}}) {
    const Product product = linear(check, shape);
    check.expect_no_findings(product.answer);
    check.expect_equal("out", product.expected, product.answer.floats("out"));
  }
}

LAB_CHECK("lab03.t1.c4") {
  for (const Shape& shape : {kOneRow, kEightRows, Shape{20, 256, 96}}) {
    const Product product = linear(check, shape);
    check.expect_equal("out", product.expected, product.answer.floats("out"));
    check.step("the simulator counts the sectors that loads move");
    check.expect_at_most("sectors moved by loads", ideal_sectors(shape) * 11 / 10,
                         product.answer.integer("global_load.moved"));
  }
}

LAB_QUESTION("lab03.q1") {
  const int64_t single = linear(check, kOneRow).answer.integer("global_load.moved");
  const int64_t batched = linear(check, kEightRows).answer.integer("global_load.moved");
  return double(kEightRows.rows * single) / double(batched);
}
