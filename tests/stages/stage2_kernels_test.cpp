/// @file
/// The kernels that stage 2 adds, beside those of stage 1 on the same input:
///
/// | stage 2                                           | stage 1                                      |
/// |---------------------------------------------------|----------------------------------------------|
/// | kv_write appends one row to what is stored        | kv_write stores all rows of the sequence     |
/// | attention of one row over the stored keys         | attention of all rows over the same keys     |
#include "tests/kernels/kernel_cases.h"
#include "tests/stages/test_devices.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

/// The last row of a case.
template <class Input>
auto last_row(Device& device, const Input& input) {
  return run(device, input.row(input.rows() - 1));
}

}  // namespace

TEST_CASE("stage 2 attention: one row over the cache is the last row over the whole sequence", "[stages][kernels]") {
  on_each_device([](Device& device) {
    for (const NumberType type : kNumberTypes) {
      for (const int length : {1, 2, 63, 64, 65, 130}) {  // a tile of keys has 64
        const AttentionShape shape{4, 2, 32, kNoWindow, 1.0f / std::sqrt(32.0f)};
        const AttentionInput whole = attention_case(type, shape, {{length, length}});
        const std::vector<float> all = run(device, whole);
        INFO(name_of(type) << ", length " << length);
        CHECK(first_difference(row_of(all, length - 1, shape.heads * shape.head_dim), last_row(device, whole)) == "");
      }
    }
  });
}

TEST_CASE("stage 2 kv append: row by row leaves the bytes of all at once", "[stages][kernels]") {
  on_each_device([](Device& device) {
    RandomNumbers random{5};
    for (const NumberType type : kNumberTypes) {
      KvWriteInput all{type, 2, 24, {}, {}, {}};
      for (int64_t slot = 0; slot < 17; ++slot) all.slots.push_back(slot + 3);
      all.keys = random.numbers(all.rows() * all.width());
      all.values = random.numbers(all.rows() * all.width());
      const std::vector<std::byte> together = run(device, all);
      std::vector<std::byte> one_by_one;
      for (int row = 0; row < all.rows(); ++row) {
        const std::vector<std::byte> bytes = run(device, all.row(row));
        one_by_one.insert(one_by_one.end(), bytes.begin(), bytes.end());
      }
      CHECK(first_difference(together, one_by_one) == "");
    }
  });
}
