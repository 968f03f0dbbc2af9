/// @file
/// Lab 6: the arithmetic of speculation.
#include "labs/support/check.h"

namespace {

using stagecraft::labs::Check;
using stagecraft::labs::Message;
using Floats = std::vector<float>;

constexpr double kTolerance = 1e-6;

double tokens_per_call(double acceptance, int64_t length) {
  double tokens = 0, all_right = 1;
  for (int64_t i = 0; i <= length; ++i, all_right *= acceptance) tokens += all_right;
  return tokens;
}

struct Cost {
  float draft_token, verify;
};

double speed_up(double acceptance, int64_t length, const Cost& cost) {
  return tokens_per_call(acceptance, length) / (double(length) * double(cost.draft_token) + double(cost.verify));
}

Message break_even(Check& check, int64_t length, const Cost& cost) {
  check.input("drafts of {}; a drafted token costs {:g}, the pass that verifies {:g}", length, cost.draft_token,
              cost.verify);
  check.step("break_even_acceptance({}, {{{:g}, {:g}}})", length, cost.draft_token, cost.verify);
  return check.call(Message("break_even_acceptance")
                        .set("length", length)
                        .set("draft_token", Floats{cost.draft_token})
                        .set("verify", Floats{cost.verify}));
}

/// `verify[k]`: v for drafts of k.
void expect_best(Check& check, float acceptance, float draft_token, const Floats& verify) {
  const int64_t longest = int64_t(verify.size()) - 1;
  int64_t best = 0;
  double best_gain = 1;
  for (int64_t length = 1; length <= longest; ++length) {
    const double gain = speed_up(double(acceptance), length, {draft_token, verify[size_t(length)]});
    if (gain > best_gain) best = length, best_gain = gain;
  }
  check.input("acceptance {:g}, a drafted token costs {:g}; verifying costs {:g} for drafts of {}", acceptance,
              draft_token, verify.back(), longest);
  check.step("best_length({:g}, {:g}, verify_cost) of {} costs", acceptance, draft_token, verify.size());
  const Message answer = check.call(Message("best_length")
                                        .set("acceptance", Floats{acceptance})
                                        .set("draft_token", Floats{draft_token})
                                        .set("verify", verify));
  check.expect_equal("length", best, answer.integer("length"));
}

/// v(k) = 1 + k * slope.
Floats rising(int64_t longest, float slope) {
  Floats verify;
  for (int64_t k = 0; k <= longest; ++k) verify.push_back(1.0f + float(k) * slope);
  return verify;
}

}  // namespace

LAB_CHECK("lab06.t5.c1") {
  for (const int64_t length : check.sizes({0, 1, 4, 31, 32, 33, 64})) {
    for (const float acceptance : {0.0f, 0.5f, 1.0f, 0x1.ffffep-1f, check.random().uniform()}) {
      check.input("acceptance {:g}, drafts of {}", acceptance, length);
      check.step("tokens_per_call({:g}, {})", acceptance, length);
      const Message answer =
          check.call(Message("tokens_per_call").set("acceptance", Floats{acceptance}).set("length", length));
      check.expect_close("tokens", {tokens_per_call(double(acceptance), length)}, answer.floats("tokens"), kTolerance);
    }
  }
}

LAB_CHECK("lab06.t5.c2") {
  for (const int64_t length : check.sizes({0, 1, 4, 9})) {
    const float acceptance = check.random().uniform();
    const Cost cost{check.random().uniform(), 1.0f + 3.0f * check.random().uniform()};
    check.input("acceptance {:g}, drafts of {}; a drafted token costs {:g}, the pass that verifies {:g}", acceptance,
                length, cost.draft_token, cost.verify);
    check.step("speed_up({:g}, {}, {{{:g}, {:g}}})", acceptance, length, cost.draft_token, cost.verify);
    const Message answer = check.call(Message("speed_up")
                                          .set("acceptance", Floats{acceptance})
                                          .set("length", length)
                                          .set("draft_token", Floats{cost.draft_token})
                                          .set("verify", Floats{cost.verify}));
    check.expect_close("speed-up", {speed_up(double(acceptance), length, cost)}, answer.floats("speed_up"), kTolerance);
  }
}

LAB_CHECK("lab06.t5.c3") {
  for (const int64_t length : check.sizes({1, 4, 16})) {
    const float wanted = 0.1f + 0.8f * check.random().uniform();  // costs are chosen so that drafts pay from here on
    const float draft_token = 0.1f / float(length);
    const Cost cost{draft_token, float(tokens_per_call(double(wanted), length) - double(length) * double(draft_token))};
    const Message answer = break_even(check, length, cost);
    check.expect_equal("there is one", 1, answer.integer("exists"));
    // v is a float: that moves the solution a little.
    constexpr double kOfAFloat = 1e-5;
    check.expect_close("acceptance", {double(wanted)}, answer.floats("acceptance"), kOfAFloat);
  }
  check.expect_equal("there is one", 0, break_even(check, 4, {0.1f, 4.7f}).integer("exists"));
  const Message never_loses = break_even(check, 4, {0.0f, 1.0f});
  check.expect_equal("there is one", 1, never_loses.integer("exists"));
  check.expect_close("acceptance + 1", {1.0}, {never_loses.floats("acceptance").at(0) + 1.0f}, kTolerance);
}

LAB_CHECK("lab06.t5.c4") {
  for (const float acceptance : {0.3f, 0.6f, 0.8f, 0.95f}) {
    expect_best(check, acceptance, 0.05f, rising(16, 0.0f));
    expect_best(check, acceptance, 0.1f, rising(16, 0.02f));
    expect_best(check, acceptance, 0.2f, rising(16, 0.8f));
  }
  expect_best(check, 0.0f, 0.0f, rising(8, 0.0f));         // as fast as without: not drafting is shorter
  expect_best(check, 1.0f, 0.0f, {1, 1, 1.5, 2, 2.5, 3});  // all lengths gain the same
  expect_best(check, 0.9f, 0.0f, {1});
  Floats steps = rising(16, 0.0f);  // a pass of more than 9 rows takes a second tile
  for (size_t k = 9; k < steps.size(); ++k) steps[k] = 2.0f;
  expect_best(check, 0.97f, 0.01f, steps);
}

LAB_QUESTION("lab06.q4") { return 100.0 * double(break_even(check, 4, {0.1f, 1.4f}).floats("acceptance").at(0)); }
