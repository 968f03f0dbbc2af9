/// @file
/// The kernels that stage 4 adds, beside those of stages 2 and 3: attention over ragged rows (chunks of prompts and
/// single tokens in one pass, in any order), and the gather of the rows whose logits are wanted.
#include <algorithm>
#include <numeric>
#include <random>

#include "tests/kernels/kernel_cases.h"
#include "tests/stages/test_devices.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

constexpr AttentionShape kShape{4, 2, 32, kNoWindow, 0.17677669529663687f};  // 1 / sqrt(32)

/// Sequence `s` of `batch` alone, with all of its rows.
AttentionInput alone(const AttentionInput& batch, int s) {
  AttentionInput one{kShape, batch.keys, batch.values, {batch.first_slot[size_t(s)]}, {0}, {}, {}, {}};
  const int64_t width = int64_t(kShape.heads) * kShape.head_dim;
  for (int row = batch.query_start[size_t(s)]; row < batch.query_start[size_t(s) + 1]; ++row) {
    one.sequence.push_back(0);
    one.positions.push_back(batch.positions[size_t(row)]);
    one.q.insert(one.q.end(), batch.q.begin() + row * width, batch.q.begin() + (row + 1) * width);
  }
  one.query_start.push_back(int32_t(one.positions.size()));
  return one;
}

/// The sequences of `batch` in another order.
AttentionInput in_order(const AttentionInput& batch, const std::vector<int>& order) {
  AttentionInput shuffled{kShape, batch.keys, batch.values, {}, {0}, {}, {}, {}};
  for (size_t place = 0; place < order.size(); ++place) {
    const AttentionInput one = alone(batch, order[place]);
    shuffled.first_slot.push_back(one.first_slot.front());
    shuffled.sequence.insert(shuffled.sequence.end(), one.positions.size(), int32_t(place));
    shuffled.positions.insert(shuffled.positions.end(), one.positions.begin(), one.positions.end());
    shuffled.q.insert(shuffled.q.end(), one.q.begin(), one.q.end());
    shuffled.query_start.push_back(int32_t(shuffled.positions.size()));
  }
  return shuffled;
}

}  // namespace

TEST_CASE("stage 4 ragged attention: chunks and single rows in any order, request by request the same",
          "[stages][kernels]") {
  on_each_device([](Device& device) {
    for (const NumberType type : kNumberTypes) {
      const AttentionInput batch =
          attention_case(type, kShape, {{70, 1}, {64, 7}, {130, 63}, {1, 1}, {90, 16}, {65, 65}, {2, 1}});
      std::vector<int> order(batch.first_slot.size());
      std::iota(order.begin(), order.end(), 0);
      std::shuffle(order.begin(), order.end(), std::mt19937(3));
      const AttentionInput shuffled = in_order(batch, order);
      const std::vector<float> together = run(device, shuffled);
      const int64_t width = int64_t(kShape.heads) * kShape.head_dim;
      for (size_t place = 0; place < order.size(); ++place) {
        const std::vector<float> expected = run(device, alone(batch, order[place]));
        const auto begin = together.begin() + shuffled.query_start[place] * width;
        INFO(name_of(type) << ", sequence " << order[place]);
        CHECK(first_difference(expected, {begin, begin + std::ptrdiff_t(expected.size())}) == "");
      }
    }
  });
}

TEST_CASE("stage 4 chunks of attention: any cut of a sequence gives the rows of the whole", "[stages][kernels]") {
  on_each_device([](Device& device) {
    const AttentionInput whole = attention_case(NumberType::bf16, kShape, {{130, 130}});
    const std::vector<float> expected = run(device, whole);
    const int64_t width = int64_t(kShape.heads) * kShape.head_dim;
    for (const int chunk : {1, 7, 63, 64, 65}) {
      std::vector<float> pieces;
      for (int first = 0; first < whole.rows(); first += chunk) {
        const int end = std::min(first + chunk, whole.rows());
        AttentionInput piece{kShape, whole.keys, whole.values, whole.first_slot, {0, end - first}, {}, {}, {}};
        piece.sequence.assign(size_t(end - first), 0);
        piece.positions.assign(whole.positions.begin() + first, whole.positions.begin() + end);
        piece.q.assign(whole.q.begin() + first * width, whole.q.begin() + end * width);
        const std::vector<float> rows = run(device, piece);
        pieces.insert(pieces.end(), rows.begin(), rows.end());
      }
      INFO("chunk " << chunk);
      CHECK(first_difference(expected, pieces) == "");
    }
  });
}

TEST_CASE("stage 4 gather of logit rows: the rows wanted, in order, and no other is read", "[stages][kernels]") {
  on_each_device([](Device& device) {
    constexpr int kWidth = 24, kRows = 9;
    RandomNumbers random{8};
    std::vector<float> x = random.numbers(kRows * kWidth);
    const std::vector<int32_t> wanted = {0, 3, 4, 8};
    for (int row = 0; row < kRows; ++row) {
      if (std::find(wanted.begin(), wanted.end(), row) != wanted.end()) continue;
      std::fill_n(x.begin() + row * kWidth, kWidth, kPoison);
    }
    std::vector<float> expected;
    for (const int32_t row : wanted) {
      const std::vector<float> one = row_of(x, row, kWidth);
      expected.insert(expected.end(), one.begin(), one.end());
    }
    CHECK(first_difference(expected, run(device, GatherInput{kWidth, x, wanted})) == "");
  });
}
