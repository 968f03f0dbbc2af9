/// @file
/// Lab 2: keys and values go to their slots.
#include <algorithm>
#include <numeric>

#include "kernels/number_types.h"
#include "labs/support/check.h"

namespace {

using stagecraft::NumberType;
using stagecraft::labs::Check;
using stagecraft::labs::Message;
using Floats = std::vector<float>;
using Integers = std::vector<int64_t>;

struct AppendCase {
  int64_t rows, width;
  int64_t slots;  // of the cache; at least rows
  NumberType type = NumberType::bf16;
};

/// The bits of `value` in a type.
int64_t rounded_bits(float value, NumberType type) {
  if (type == NumberType::bf16) return stagecraft::round_to_bf16(value).bits;
  if (type == NumberType::fp16) return stagecraft::round_to_fp16(value).bits;
  return stagecraft::bits_of(value);
}

/// Numbers at which rounding shows: halfway between two bf16, above and below, and more than fp16 can hold.
constexpr uint32_t kTelling[] = {0x3F808000u, 0x3F818000u, 0x3F808001u, 0xBF807FFFu, 0x47800000u, 0x33800000u};

Floats values_to_store(Check& check, int64_t count) {
  Floats values = check.random_floats(count, -3.0f, 3.0f);
  for (const uint32_t bits : kTelling) {
    values[size_t(check.random().below(uint32_t(count)))] = stagecraft::float_from_bits(bits);
  }
  return values;
}

/// The first `count` of `slots` slots in random order.
Integers random_slots(Check& check, int64_t count, int64_t slots) {
  Integers order(static_cast<size_t>(slots));
  std::iota(order.begin(), order.end(), 0);
  for (int64_t i = slots; i-- > 1;) std::swap(order[size_t(i)], order[size_t(check.random().below(uint32_t(i + 1)))]);
  order.resize(size_t(count));
  return order;
}

struct Plane {
  Integers before, expected;
};

/// What lay there before, and what must lie there afterwards.
Plane plane(Check& check, const AppendCase& one, const Floats& rows, const Integers& slots) {
  constexpr uint32_t kOld = 1u << 14;  // an old value's bits: any number
  Plane plane;
  for (int64_t i = 0; i < one.slots * one.width; ++i) plane.before.push_back(check.random().below(kOld));
  plane.expected = plane.before;
  for (int64_t i = 0; i < one.rows * one.width; ++i) {
    const int64_t slot = slots[size_t(i / one.width)];
    plane.expected[size_t(slot * one.width + i % one.width)] = rounded_bits(rows[size_t(i)], one.type);
  }
  return plane;
}

struct Appended {
  Plane keys, values;
  Integers slots;
  Message answer;
};

Appended append(Check& check, const AppendCase& one) {
  const Floats keys = values_to_store(check, one.rows * one.width);
  const Floats values = values_to_store(check, one.rows * one.width);
  Appended appended;
  appended.slots = random_slots(check, one.rows, one.slots);
  appended.keys = plane(check, one, keys, appended.slots);
  appended.values = plane(check, one, values, appended.slots);
  check.input("rows = {}, width = {}, a cache of {} slots, {}; row 0 goes to slot {}", one.rows, one.width, one.slots,
              name_of(one.type), appended.slots[0]);
  check.step("append(keys, values, slots, cache, {}, {})", one.rows, one.width);
  appended.answer = check.call(Message("append")
                                   .set("keys", keys)
                                   .set("values", values)
                                   .set("slots", appended.slots)
                                   .set("cached_keys", appended.keys.before)
                                   .set("cached_values", appended.values.before)
                                   .set("type", int64_t(one.type))
                                   .set("width", one.width)
                                   .set("all_written", int64_t(one.rows == one.slots)));
  return appended;
}

/// The rows of a plane that `slots` names, or the others.
Integers rows_of(const Integers& plane, const Integers& slots, int64_t width, bool named) {
  Integers rows;
  for (int64_t slot = 0; slot * width < int64_t(plane.size()); ++slot) {
    const bool is_named = std::find(slots.begin(), slots.end(), slot) != slots.end();
    if (is_named != named) continue;
    rows.insert(rows.end(), plane.begin() + slot * width, plane.begin() + (slot + 1) * width);
  }
  return rows;
}

void expect_rows(Check& check, const AppendCase& one, const Appended& appended, bool named) {
  const auto compare = [&](const char* what, const Plane& plane, const Integers& got) {
    check.expect_equal(std::string(what) + ", " + (named ? "bits of the named slots" : "bits of the other slots"),
                       rows_of(plane.expected, appended.slots, one.width, named),
                       rows_of(got, appended.slots, one.width, named));
  };
  compare("keys", appended.keys, appended.answer.integers("keys"));
  compare("values", appended.values, appended.answer.integers("values"));
}

}  // namespace

LAB_CHECK("lab02.t1.c1") {
  for (const NumberType type : {NumberType::bf16, NumberType::fp16, NumberType::fp32}) {
    for (const int64_t rows : check.sizes({1, 33})) {
      for (const int64_t width : {2, 48, 127, 258}) {
        const AppendCase one{rows, width, rows + 5, type};
        expect_rows(check, one, append(check, one), true);
      }
    }
  }
}

LAB_CHECK("lab02.t1.c2") {
  for (const AppendCase& one : {AppendCase{1, 48, 4}, AppendCase{31, 130, 90}, AppendCase{32, 96, 33}}) {
    const Appended appended = append(check, one);
    expect_rows(check, one, appended, false);
    expect_rows(check, one, appended, true);
  }
}

LAB_CHECK("lab02.t1.c3") {
  for (const AppendCase& one : {AppendCase{1, 2, 1}, AppendCase{9, 130, 9}, AppendCase{5, 129, 5, NumberType::fp32}}) {
    const Appended appended = append(check, one);
    check.expect_no_findings(appended.answer);
    expect_rows(check, one, appended, true);
  }
}

LAB_CHECK("lab02.t1.c4") {
  const AppendCase one{16, 256, 20};
  const Appended appended = append(check, one);
  expect_rows(check, one, appended, true);
  check.step("the simulator counts the sectors that loads and stores move");
  constexpr int64_t kSectorBytes = 32;
  const int64_t elements = 2 * one.rows * one.width;
  check.expect_at_most("sectors moved by stores", elements * bytes_of(one.type) * 105 / 100 / kSectorBytes,
                       appended.answer.integer("global_store.moved"));
  check.expect_at_most("sectors moved by loads", elements * int64_t(sizeof(float)) * 125 / 100 / kSectorBytes,
                       appended.answer.integer("global_load.moved"));
}
