/// @file
/// Lab 3: the roofline of a decoding step, against the engine's cost model and by trying.
#include "labs/support/check.h"
#include "stages/core/cost_model.h"

namespace {

using stagecraft::CostModel;
using stagecraft::labs::Check;
using stagecraft::labs::Message;

constexpr int64_t kNever = -1;

struct Model {
  int64_t weight_bytes, parameters, kv_bytes_per_token;
};

struct Machine {
  int64_t bytes_per_ns, flop_per_ns;
};

constexpr Model kSmolLm{269'000'000, 134'500'000, 23'040};
constexpr Machine kGpu{3'350, 989'000};

std::string name_of(const Model& model, const Machine& machine) {
  return fmt::format("{} bytes of weights, {} parameters, {} bytes a stored token; {} bytes and {} FLOP a ns",
                     model.weight_bytes, model.parameters, model.kv_bytes_per_token, machine.bytes_per_ns,
                     machine.flop_per_ns);
}

Message about(const char* call, const Model& model, const Machine& machine) {
  return Message(call)
      .set("weight_bytes", model.weight_bytes)
      .set("parameters", model.parameters)
      .set("kv_bytes_per_token", model.kv_bytes_per_token)
      .set("bytes_per_ns", machine.bytes_per_ns)
      .set("flop_per_ns", machine.flop_per_ns);
}

int64_t turning_point(Check& check, const Model& model, const Machine& machine, int64_t kv_length) {
  check.input("{}", name_of(model, machine));
  check.step("rows_to_leave_memory(model, machine, {})", kv_length);
  return check.call(about("turning_point", model, machine).set("kv_length", kv_length)).integer("rows");
}

/// Models that have more or fewer bytes a parameter than bf16 would, so that one cannot be mistaken for the other.
Model random_model(Check& check) {
  return {1'000'000 + check.random().below(1u << 31), 500'000 + check.random().below(1u << 30),
          1 + check.random().below(100'000)};
}

Machine random_machine(Check& check) { return {1 + check.random().below(4'000), 1 + check.random().below(1'000'000)}; }

struct Case {
  Model model;
  Machine machine;
  int64_t rows, kv_length;
};

std::vector<Case> cases(Check& check) {
  std::vector<Case> all = {{kSmolLm, kGpu, 1, 0}, {kSmolLm, {10, 50}, 8, 100}};
  for (const int64_t rows : check.sizes({1, 31, 33, 128})) {
    all.push_back({random_model(check), random_machine(check), rows, check.random().below(3'000)});
  }
  return all;
}

/// Whether arithmetic takes at least as long as reading; products of 64-bit numbers.
bool arithmetic_is_the_limit(const Case& one) {
  __extension__ typedef __int128 Wide;
  const Wide flop = Wide(2) * one.model.parameters * one.rows;
  const Wide bytes = one.model.weight_bytes + Wide(one.rows) * one.kv_length * one.model.kv_bytes_per_token;
  return flop * one.machine.bytes_per_ns >= bytes * one.machine.flop_per_ns;
}

}  // namespace

LAB_CHECK("lab03.t4.c1") {
  for (const Case& one : cases(check)) {
    check.input("{}", name_of(one.model, one.machine));
    check.step("intensity(model, {{rows {}, kv_length {}}})", one.rows, one.kv_length);
    const Message answer =
        check.call(about("intensity", one.model, one.machine).set("rows", one.rows).set("kv_length", one.kv_length));
    const double flop = 2.0 * double(one.model.parameters) * double(one.rows);
    const double stored = double(one.rows) * double(one.kv_length) * double(one.model.kv_bytes_per_token);
    check.expect_close("intensity", {flop / (double(one.model.weight_bytes) + stored)}, answer.floats("intensity"),
                       1e-6);
  }
}

LAB_CHECK("lab03.t4.c2") {
  for (const Case& one : cases(check)) {
    check.input("{}", name_of(one.model, one.machine));
    check.step("step_ns(model, machine, {{rows {}, kv_length {}}})", one.rows, one.kv_length);
    const CostModel cost{.weight_bytes = one.model.weight_bytes,
                         .kv_bytes_per_token = one.model.kv_bytes_per_token,
                         .bytes_per_ns = one.machine.bytes_per_ns,
                         .flop_per_token = 2 * one.model.parameters,
                         .flop_per_ns = one.machine.flop_per_ns};
    const std::vector<stagecraft::StepPart> parts(size_t(one.rows), {.rows = 1, .kv_length = one.kv_length});
    check.expect_equal(
        "ns", cost.step_ns(parts),
        check.call(about("step_time", one.model, one.machine).set("rows", one.rows).set("kv_length", one.kv_length))
            .integer("ns"));
  }
}

LAB_CHECK("lab03.t4.c3") {
  constexpr Model kEven{1'000, 500, 1};  // meets the turn exactly: 1000 / 10 = rows x 1000 / 100
  std::vector<Case> all = {{kSmolLm, kGpu, 0, 0},
                           {kSmolLm, kGpu, 0, 30},
                           {kSmolLm, {10, 50}, 0, 32},
                           {kEven, {10, 100}, 0, 0},
                           {{140'000'000'000, 70'000'000'000, 320'000}, kGpu, 0, 500}};
  for (int i = 0; i < 20; ++i) all.push_back({random_model(check), random_machine(check), 0, check.random().below(20)});
  for (Case& one : all) {
    const int64_t rows = turning_point(check, one.model, one.machine, one.kv_length);
    if (rows == kNever) {  // then a very large batch does not do either
      one.rows = int64_t{1} << 40;
      check.expect(!arithmetic_is_the_limit(one), "a number of rows", "kNever");
      continue;
    }
    one.rows = rows;
    check.expect(rows >= 1 && arithmetic_is_the_limit(one), "rows with which arithmetic takes at least as long",
                 fmt::format("{} rows: too few", rows));
    one.rows = rows - 1;
    check.expect(rows == 1 || !arithmetic_is_the_limit(one), "the least such number of rows",
                 fmt::format("{} rows: one row less would do", rows));
  }
}

LAB_CHECK("lab03.t4.c4") {
  check.expect_equal("rows", kNever, turning_point(check, kSmolLm, kGpu, 40));
  check.expect_equal("rows", kNever, turning_point(check, kSmolLm, kGpu, 1'000'000));
  constexpr Model kEven{1'000, 500, 100};  // a row's 1000 FLOP and its 100 bytes take 10 ns each
  check.expect_equal("rows", kNever, turning_point(check, kEven, {10, 100}, 1));
  const int64_t just_not = turning_point(check, kSmolLm, kGpu, 39);
  check.expect_at_least("rows", 1, just_not);
}

LAB_QUESTION("lab03.q3") { return double(turning_point(check, kSmolLm, kGpu, 0)); }

LAB_QUESTION("lab03.q4") {
  int64_t kv_length = 0;
  while (turning_point(check, kSmolLm, kGpu, kv_length) != kNever) ++kv_length;
  return double(kv_length);
}
