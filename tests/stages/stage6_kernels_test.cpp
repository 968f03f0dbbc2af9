/// @file
/// The kernels that stage 6 adds: attention for the k + 1 rows of a token and its draft, and the verification of drafts.
/// The rows are compared with stage 5's kernel, which computes one row of a request at a time.
#include <algorithm>

#include "tests/kernels/kernel_cases.h"
#include "tests/stages/test_devices.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

constexpr AttentionShape kShape{4, 2, 32, kNoWindow, 0.17677669529663687f};  // 1 / sqrt(32)
constexpr int32_t kBlockSize = 16;

/// Row `r` of a batch of one sequence as stage 5 computes it: alone, and nothing is stored after it yet.
AttentionInput before_the_draft(const AttentionInput& batch, int r) {
  AttentionInput one = batch.row(r);
  const auto slot_bytes = int64_t(kShape.kv_heads) * kShape.head_dim * bytes_of(batch.keys.type);
  const PagedAddress address{one.paged->blocks.data(), one.paged->stride, block_shift_of(one.paged->block_size)};
  for (int32_t later = one.positions.front() + 1; later <= batch.positions.back(); ++later) {
    for (StoredNumbers* numbers : {&one.keys, &one.values}) {
      std::fill_n(numbers->bytes.begin() + address.slot(0, later) * slot_bytes, slot_bytes, std::byte{0xFF});
    }
  }
  return one;
}

}  // namespace

TEST_CASE("stage 6 attention of a draft: each of k + 1 rows has the bits that stage 5 gives it, one at a time",
          "[stages][kernels]") {
  on_each_target([](Device& device) {
    for (const int drafted : {0, 1, 2, 4, 7, 8}) {
      for (const int length : {drafted + 1, 16, 17, 63, 64, 65, 130}) {
        INFO(drafted << " drafted, " << length << " stored");
        const int rows = std::min(drafted + 1, length);
        const AttentionInput batch = paged(attention_case(NumberType::bf16, kShape, {{length, rows}}), kBlockSize);
        const std::vector<float> together = run(device, batch);
        for (int r = 0; r < rows; ++r) {
          const std::vector<float> expected = run(device, before_the_draft(batch, r));
          CHECK(first_difference(expected, row_of(together, r, int64_t(expected.size()))) == "");
        }
      }
    }
  });
}

TEST_CASE("stage 6 attention of drafts: requests with 0 to 8 drafted tokens in one pass", "[stages][kernels]") {
  on_each_target([](Device& device) {
    const AttentionInput batch =
        attention_case(NumberType::bf16, kShape, {{70, 1}, {64, 2}, {130, 3}, {9, 9}, {33, 5}, {66, 8}, {1, 1}});
    for (const int32_t block_size : kBlockSizes) {
      INFO("blocks of " << block_size);
      CHECK(row_difference(device, paged(batch, block_size)) == "");
    }
  });
}

TEST_CASE("stage 6 verify: the right prefix of 0 to 8 drafted tokens, wherever it ends", "[stages][kernels]") {
  on_each_target([](Device& device) {
    VerifyInput input{{}, {}, {0}};
    std::vector<int32_t> expected;
    for (int drafted = 0; drafted <= 8; ++drafted) {
      for (int right = 0; right <= drafted; ++right) {
        for (int j = 0; j <= drafted; ++j) {
          input.drawn.push_back(100 * drafted + j);
          input.draft.push_back(j == drafted ? kNoToken : j == right ? 9999 : input.drawn.back());
        }
        input.row_start.push_back(int32_t(input.drawn.size()));
        expected.push_back(right);
      }
    }
    CHECK(run(device, input) == expected);
    CHECK(row_difference(device, input) == "");
  });
}

TEST_CASE("stage 6 verify: right tokens after a wrong one do not count, nor does what follows the last row",
          "[stages][kernels]") {
  on_each_target([](Device& device) {
    //                     wrong at 1      all right       nothing was drafted, and nothing could be drawn
    const VerifyInput input{{5, 6, 7, 8, /**/ 5, 6, 7, /**/ kNoToken},
                            {5, 9, 7, kNoToken, /**/ 5, 6, kNoToken, /**/ kNoToken},
                            {0, 4, 7, 8}};
    CHECK(run(device, input) == std::vector<int32_t>{1, 2, 0});
  });
}

TEST_CASE("stage 6 verify: no requests, hundreds of them, and drafts longer than a warp", "[stages][kernels]") {
  on_each_target([](Device& device) {
    CHECK(run(device, VerifyInput{{}, {}, {0}}).empty());
    for (const auto& [requests, most] : {std::pair{300, 8}, {5, 200}}) {
      const VerifyInput input = verify_case(requests, most);
      std::vector<int32_t> expected;
      for (int i = 0; i < requests; ++i) {
        const auto first = input.draft.begin() + input.row_start[size_t(i)],
                   last = input.draft.begin() + input.row_start[size_t(i) + 1] - 1;
        const auto wrong = std::mismatch(first, last, input.drawn.begin() + input.row_start[size_t(i)]).first;
        expected.push_back(int32_t(wrong - first));
      }
      CHECK(run(device, input) == expected);
    }
  });
}

TEST_CASE("stage 6 control: a verify that counts equal tokens instead of a prefix is seen",
          "[stages][kernels][control]") {
  cpu::CpuDevice right(1, cpu::kPlainTarget), broken(1, cpu::kPlainTarget);
  broken.kernels().verify = [](const TokenId* drawn, const TokenId* draft, const int32_t* row_start, int32_t* accepted,
                               int requests, Stream) {
    for (int i = 0; i < requests; ++i) {
      accepted[i] = 0;
      for (int row = row_start[i]; row < row_start[i + 1]; ++row) accepted[i] += drawn[row] == draft[row];
    }
  };
  CHECK(difference_to(right, broken, verify_case(20, 8)) != "");
}
