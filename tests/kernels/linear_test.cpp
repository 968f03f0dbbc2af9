/// @file
/// What the row counts of T1 leave out of linear operations: every number of rows that the kernels for a few rows take,
/// and how rows of weights are shared out.
#include "kernels/cpu/cpu_device.h"
#include "kernels/cpu/row_shares.h"
#include "tests/catch.h"
#include "tests/kernels/kernel_cases.h"

using namespace stagecraft;
using namespace stagecraft::testing;
using cpu::CpuDevice;
using cpu::RowShares;

TEST_CASE("a linear operation gives the plain contract's bits for every small number of rows") {
  CpuDevice plain(1, cpu::kPlainTarget);
  for (const cpu::SimdTarget& target : cpu::simd_targets()) {
    if (!target.runs_here) continue;
    CpuDevice device(2, target.name);
    for (const NumberType type : kNumberTypes) {
      for (int rows = 1; rows <= 20; ++rows) {
        const LinearInput input = linear_case(type, rows, 192, 37, rows % 2 == 1);
        CAPTURE(target.name, name_of(type), rows);
        REQUIRE(difference_to(plain, device, input) == "");
      }
    }
  }
}

TEST_CASE("rows of weights are shared out once each, in whole units and shrinking items") {
  for (const int64_t rows : {1, 7, 8, 9, 192, 1000, 49152}) {
    for (const int threads : {1, 2, 3, 64}) {
      for (const int64_t shortest : {0, 5, 32}) {
        CAPTURE(rows, threads, shortest);
        const RowShares shares(rows, threads, 8, shortest);
        CHECK(shares.first(0) == 0);
        CHECK(shares.first(shares.items()) == rows);
        int64_t longest_left = rows;
        for (int64_t item = 0; item < shares.items(); ++item) {
          const int64_t length = shares.first(item + 1) - shares.first(item);
          REQUIRE(length >= 0);
          REQUIRE(length <= longest_left + 8);  // rounding to units
          longest_left = std::min(longest_left, length + 8);
          REQUIRE(shares.first(item) % 8 == 0);
        }
      }
    }
  }
}

TEST_CASE("few rows make few items, many rows give every thread some") {
  CHECK(RowShares(8, 4, 8, 100).items() == 1);
  CHECK(RowShares(256, 4, 8, 64).items() == 4);
  const RowShares many(1024, 2, 8, 16);
  CHECK(many.first(1) == 256);  // half of the rows in the first round
  CHECK(many.items() % 2 == 0);
  CHECK(many.items() > 8);
}
