/// @file
/// Lab 1: kernels against fp64, and against the contract's bits.
#include <cmath>
#include <numeric>

#include "kernels/exact_math.h"
#include "kernels/number_types.h"
#include "labs/support/check.h"

namespace {

using stagecraft::bf16;
using stagecraft::labs::Check;
using stagecraft::labs::Message;
using Floats = std::vector<float>;
using Doubles = std::vector<double>;

constexpr double kTolerance = 1e-5;

/// Random bf16 weights, and their bits for a message.
struct Weights {
  std::vector<bf16> values;
  std::vector<int64_t> bits;
};

Weights random_weights(Check& check, int64_t count) {
  Weights weights;
  for (const float value : check.random_floats(count)) {
    weights.values.push_back(stagecraft::round_to_bf16(value));
    weights.bits.push_back(weights.values.back().bits);
  }
  return weights;
}

// RMSNorm.

struct NormCase {
  int64_t rows, width;
  float epsilon;
};

const NormCase kNormCases[] = {{1, 1, 1e-5f}, {3, 33, 1e-5f}, {65, 64, 0.1f}, {5, 129, 1e-3f}};

struct Normed {
  Doubles expected;  // in fp64
  Floats bits;       // as the contract has it
  Message answer;
};

Normed rms_norm(Check& check, const NormCase& one, bool in_place) {
  const Floats x = check.random_floats(one.rows * one.width, -3.0f, 3.0f);
  const Weights weights = random_weights(check, one.width);
  check.input("rows = {}, width = {}, epsilon = {:g}; x in (-3, 3), weights in (-1, 1), random", one.rows, one.width,
              one.epsilon);
  check.step("rms_norm(x, weight, {}, {}, {}, {:g})", in_place ? "x" : "out", one.rows, one.width, one.epsilon);
  Normed normed;
  for (int64_t r = 0; r < one.rows; ++r) {
    const float* row = x.data() + r * one.width;
    double squares = 0;
    for (int64_t i = 0; i < one.width; ++i) squares += double(row[i]) * double(row[i]);
    const double scale = 1.0 / std::sqrt(squares / double(one.width) + double(one.epsilon));
    const float exact = stagecraft::rms_scale(stagecraft::exact_dot(row, row, one.width), one.width, one.epsilon);
    for (int64_t i = 0; i < one.width; ++i) {
      const float weight = stagecraft::to_float(weights.values[size_t(i)]);
      normed.expected.push_back(double(row[i]) * scale * double(weight));
      normed.bits.push_back(row[i] * exact * weight);
    }
  }
  normed.answer = check.call(Message("rms_norm")
                                 .set("x", x)
                                 .set("weight", weights.bits)
                                 .set("rows", one.rows)
                                 .set("width", one.width)
                                 .set("epsilon", Floats{one.epsilon})
                                 .set("in_place", int64_t(in_place)));
  return normed;
}

// RoPE.

struct Turned {
  Doubles expected;
  Floats bits;
  Message answer;
};

Turned rope(Check& check, int64_t rows, int64_t heads, int64_t head_dim) {
  constexpr int64_t kPositions = 50;
  const int64_t half = head_dim / 2;
  const Floats x = check.random_floats(rows * heads * head_dim);
  Floats cosines, sines;
  for (const float angle : check.random_floats(kPositions * half, -3.0f, 3.0f)) {
    cosines.push_back(std::cos(angle));
    sines.push_back(std::sin(angle));
  }
  std::vector<int64_t> positions(static_cast<size_t>(rows));
  for (int64_t& position : positions) position = check.random().below(kPositions);
  check.input("rows = {}, heads = {}, head_dim = {}; random angles, positions in random order", rows, heads, head_dim);
  check.step("rope(x, positions, cosines, sines, {}, {}, {}); row 0 is at position {}", rows, heads, head_dim,
             positions[0]);
  Turned turned;
  turned.expected.resize(x.size());
  turned.bits.resize(x.size());
  for (int64_t head = 0; head < rows * heads; ++head) {
    for (int64_t i = 0; i < half; ++i) {
      const size_t left = size_t(head * head_dim + i), right = left + size_t(half);
      const size_t angle = size_t(positions[size_t(head / heads)] * half + i);
      const double c = double(cosines[angle]), s = double(sines[angle]);
      turned.expected[left] = double(x[left]) * c - double(x[right]) * s;
      turned.expected[right] = double(x[right]) * c + double(x[left]) * s;
      const stagecraft::RotatedPair pair = stagecraft::rotate(x[left], x[right], cosines[angle], sines[angle]);
      turned.bits[left] = pair.left;
      turned.bits[right] = pair.right;
    }
  }
  turned.answer = check.call(Message("rope")
                                 .set("x", x)
                                 .set("positions", positions)
                                 .set("cosines", cosines)
                                 .set("sines", sines)
                                 .set("rows", rows)
                                 .set("heads", heads)
                                 .set("head_dim", head_dim));
  return turned;
}

struct HeadShape {
  int64_t rows, heads, head_dim;
};

const HeadShape kHeadShapes[] = {{1, 1, 2}, {5, 3, 8}, {33, 2, 64}, {7, 4, 18}};

// Linear.

struct LinearShape {
  int64_t rows, in, out_width;
};

const LinearShape kLinearShapes[] = {{1, 1, 1}, {2, 31, 33}, {3, 64, 5}, {1, 100, 129}, {2, 257, 7}};

Message linear(Check& check, const LinearShape& shape, bool coalesced, Floats& expected) {
  const Floats x = check.random_floats(shape.rows * shape.in);
  const Weights weights = random_weights(check, shape.out_width * shape.in);
  check.input("rows = {}, in = {}, out_width = {}; x and weights random in (-1, 1)", shape.rows, shape.in,
              shape.out_width);
  check.step("{}(x, weight, out, {}, {}, {})", coalesced ? "linear_coalesced" : "linear_naive", shape.rows, shape.in,
             shape.out_width);
  expected.clear();
  for (int64_t r = 0; r < shape.rows; ++r) {
    for (int64_t o = 0; o < shape.out_width; ++o) {
      expected.push_back(
          stagecraft::exact_dot(x.data() + r * shape.in, weights.values.data() + o * shape.in, shape.in));
    }
  }
  return check.call(Message("linear")
                        .set("x", x)
                        .set("weight", weights.bits)
                        .set("rows", shape.rows)
                        .set("in", shape.in)
                        .set("out_width", shape.out_width)
                        .set("coalesced", int64_t(coalesced)));
}

constexpr LinearShape kCountedShape{1, 256, 96};

// Attention.

struct Range {
  float low, high;
};

constexpr Range kUnit{-1.0f, 1.0f};

struct AttentionCase {
  int64_t rows, heads, kv_heads, head_dim;
  Range q = kUnit, keys = kUnit;
};

struct Attended {
  Doubles expected;
  Message answer;
};

/// Softmax of the scores of one query, in fp64.
Doubles softmax(const Doubles& scores) {
  const double largest = *std::max_element(scores.begin(), scores.end());
  Doubles weights;
  for (const double score : scores) weights.push_back(std::exp(score - largest));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

Doubles attend(const AttentionCase& one, const Floats& q, const Floats& keys, const Floats& values, float scale) {
  Doubles out;
  for (int64_t query = 0; query < one.rows * one.heads; ++query) {
    const int64_t row = query / one.heads, group = query % one.heads / (one.heads / one.kv_heads);
    const auto at = [&](int64_t key, int64_t d) { return size_t((key * one.kv_heads + group) * one.head_dim + d); };
    Doubles scores;
    for (int64_t key = 0; key <= row; ++key) {
      double dot = 0;
      for (int64_t d = 0; d < one.head_dim; ++d)
        dot += double(q[size_t(query * one.head_dim + d)]) * double(keys[at(key, d)]);
      scores.push_back(dot * double(scale));
    }
    const Doubles weights = softmax(scores);
    for (int64_t d = 0; d < one.head_dim; ++d) {
      double sum = 0;
      for (int64_t key = 0; key <= row; ++key) sum += weights[size_t(key)] * double(values[at(key, d)]);
      out.push_back(sum);
    }
  }
  return out;
}

Attended attention(Check& check, const AttentionCase& one) {
  const Floats q = check.random_floats(one.rows * one.heads * one.head_dim, one.q.low, one.q.high);
  const Floats keys = check.random_floats(one.rows * one.kv_heads * one.head_dim, one.keys.low, one.keys.high);
  const Floats values = check.random_floats(one.rows * one.kv_heads * one.head_dim);
  const float scale = float(1.0 / std::sqrt(double(one.head_dim)));
  check.input("rows = {}, heads = {}, kv_heads = {}, head_dim = {}; q random in ({:g}, {:g}), keys in ({:g}, {:g})",
              one.rows, one.heads, one.kv_heads, one.head_dim, one.q.low, one.q.high, one.keys.low, one.keys.high);
  check.step("attention(q, keys, values, out, {}, {}, {}, {}, {:g})", one.rows, one.heads, one.kv_heads, one.head_dim,
             scale);
  return {attend(one, q, keys, values, scale), check.call(Message("attention")
                                                              .set("q", q)
                                                              .set("keys", keys)
                                                              .set("values", values)
                                                              .set("rows", one.rows)
                                                              .set("heads", one.heads)
                                                              .set("kv_heads", one.kv_heads)
                                                              .set("head_dim", one.head_dim)
                                                              .set("scale", Floats{scale}))};
}

}  // namespace

LAB_CHECK("lab01.t1.c1") {
  for (const NormCase& one : kNormCases) {
    const Normed normed = rms_norm(check, one, false);
    check.expect_close("out", normed.expected, normed.answer.floats("out"), kTolerance);
  }
}

LAB_CHECK("lab01.t1.c2") {
  for (const bool in_place : {false, true}) {
    for (const NormCase& one : kNormCases) {
      const Normed normed = rms_norm(check, one, in_place);
      check.expect_no_findings(normed.answer);
      check.expect_close("out", normed.expected, normed.answer.floats("out"), kTolerance);
    }
  }
}

LAB_CHECK("lab01.t1.c3") {
  for (const NormCase& one : kNormCases) {
    const Normed normed = rms_norm(check, one, false);
    check.expect_equal("out", normed.bits, normed.answer.floats("out"));
  }
}

LAB_CHECK("lab01.t2.c1") {
  for (const HeadShape& shape : kHeadShapes) {
    const Turned turned = rope(check, shape.rows, shape.heads, shape.head_dim);
    check.expect_close("x", turned.expected, turned.answer.floats("out"), 1e-6);
  }
}

LAB_CHECK("lab01.t2.c2") {
  for (const HeadShape& shape : kHeadShapes) {
    const Turned turned = rope(check, shape.rows, shape.heads, shape.head_dim);
    check.expect_no_findings(turned.answer);
    check.expect_close("x", turned.expected, turned.answer.floats("out"), 1e-6);
  }
}

LAB_CHECK("lab01.t2.c3") {
  for (const HeadShape& shape : kHeadShapes) {
    const Turned turned = rope(check, shape.rows, shape.heads, shape.head_dim);
    check.expect_equal("x", turned.bits, turned.answer.floats("out"));
  }
}

LAB_CHECK("lab01.t3.c1") {
  for (const LinearShape& shape : kLinearShapes) {
    Floats expected;
    const Message answer = linear(check, shape, false, expected);
    check.expect_equal("out", expected, answer.floats("out"));
  }
}

LAB_CHECK("lab01.t3.c2") {
  for (const LinearShape& shape : kLinearShapes) {
    Floats expected;
    const Message answer = linear(check, shape, true, expected);
    check.expect_equal("out", expected, answer.floats("out"));
  }
}

LAB_CHECK("lab01.t3.c3") {
  for (const bool coalesced : {false, true}) {
    for (const LinearShape& shape : kLinearShapes) {
      Floats expected;
      const Message answer = linear(check, shape, coalesced, expected);
      check.expect_no_findings(answer);
      check.expect_equal("out", expected, answer.floats("out"));
    }
  }
}

LAB_CHECK("lab01.t3.c4") {
  Floats expected;
  const Message answer = linear(check, kCountedShape, true, expected);
  check.expect_equal("out", expected, answer.floats("out"));
  check.step("the simulator counts the sectors that loads move");
  constexpr int64_t kSectorBytes = 32;
  const int64_t weight_bytes = kCountedShape.in * kCountedShape.out_width * int64_t(sizeof(bf16));
  const int64_t x_bytes = kCountedShape.in * kCountedShape.out_width * int64_t(sizeof(float));
  check.expect_at_most("sectors moved by loads", (weight_bytes + x_bytes) * 3 / 2 / kSectorBytes,
                       answer.integer("global_load.moved"));
}

LAB_CHECK("lab01.t4.c1") {
  for (const int64_t rows : check.sizes({1, 2, 33, 65})) {
    const Attended attended = attention(check, {rows, 1, 1, 16});
    check.expect_close("out", attended.expected, attended.answer.floats("out"), kTolerance);
  }
}

LAB_CHECK("lab01.t4.c2") {
  for (const AttentionCase& one :
       {AttentionCase{5, 4, 2, 8}, AttentionCase{17, 6, 2, 16}, AttentionCase{9, 3, 3, 32}}) {
    const Attended attended = attention(check, one);
    check.expect_close("out", attended.expected, attended.answer.floats("out"), kTolerance);
  }
}

LAB_CHECK("lab01.t4.c3") {
  constexpr Range kBoth{-20.0f, 20.0f}, kPositive{5.0f, 20.0f}, kNegative{-20.0f, -5.0f};
  for (const AttentionCase& one :
       {AttentionCase{20, 2, 1, 64, kBoth, kBoth}, AttentionCase{20, 2, 1, 64, kPositive, kPositive},
        AttentionCase{20, 2, 1, 64, kPositive, kNegative}}) {
    const Attended attended = attention(check, one);
    constexpr double kOfLargeScores = 5e-3;  // a score of 1000 is known to 1e-3, and so is its exponential
    check.expect_close("out", attended.expected, attended.answer.floats("out"), kOfLargeScores);
  }
}

LAB_CHECK("lab01.t4.c4") {
  for (const AttentionCase& one : {AttentionCase{1, 1, 1, 4}, AttentionCase{13, 5, 1, 8}}) {
    const Attended attended = attention(check, one);
    check.expect_no_findings(attended.answer);
    check.expect_close("out", attended.expected, attended.answer.floats("out"), kTolerance);
  }
}
