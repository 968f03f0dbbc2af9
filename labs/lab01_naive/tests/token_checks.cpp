/// @file
/// Lab 1: the next token, and the work of naive decoding.
#include <cmath>
#include <limits>

#include "kernels/sampling.h"
#include "labs/support/check.h"

namespace {

using stagecraft::labs::Check;
using stagecraft::labs::Message;
using Floats = std::vector<float>;

constexpr int64_t kNoToken = -1;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

int64_t greedy(Check& check, const Floats& logits) {
  check.step("greedy(logits) of {} logits", logits.size());
  return check.call(Message("greedy").set("logits", logits)).integer("token");
}

int64_t sampled(Check& check, const Floats& logits, float temperature, int64_t seed, int64_t position) {
  check.step("sampled(logits, {:g}, {}, {}) of {} logits", temperature, seed, position, logits.size());
  return check
      .call(Message("sampled")
                .set("logits", logits)
                .set("temperature", Floats{temperature})
                .set("seed", seed)
                .set("position", position))
      .integer("token");
}

/// Gumbel-max over finite logits, as kernels/sampling.h defines it.
int64_t drawn(const Floats& logits, float temperature, int64_t seed, int64_t position) {
  float largest = -kInfinity;
  for (const float logit : logits) largest = std::isfinite(logit) ? std::max(largest, logit) : largest;
  const stagecraft::SamplingRow how{temperature, stagecraft::kNoTopK, 1.0f, uint64_t(seed), position};
  int64_t best = kNoToken;
  float best_score = -kInfinity;
  for (size_t id = 0; id < logits.size(); ++id) {
    if (!std::isfinite(logits[id])) continue;
    const float score =
        stagecraft::tempered(logits[id], largest, temperature) + stagecraft::token_noise(how, int32_t(id));
    if (best != kNoToken && score <= best_score) continue;
    best = int64_t(id);
    best_score = score;
  }
  return best;
}

}  // namespace

LAB_CHECK("lab01.t5.c1") {
  for (const int64_t vocabulary : check.sizes({1, 2, 33, 1000})) {
    Floats logits = check.random_floats(vocabulary, -8.0f, -1.0f);
    check.input("{} logits, all below 0", vocabulary);
    const int64_t at = check.random().below(uint32_t(vocabulary));
    logits[size_t(at)] = -0.5f;
    check.expect_equal("token", at, greedy(check, logits));
    check.input("{} logits; the largest stands at {} and again at the end", vocabulary, at);
    logits.back() = -0.5f;
    check.expect_equal("token", at, greedy(check, logits));
  }
}

LAB_CHECK("lab01.t5.c2") {
  for (const float temperature : {0.1f, 0.8f, 3.0f}) {
    for (const int64_t position : {int64_t{0}, int64_t{1}, int64_t{1} << 40}) {
      const Floats logits = check.random_floats(500, -4.0f, 4.0f);
      const int64_t seed = check.random().below(1u << 30);
      check.input("500 logits in (-4, 4), temperature {:g}, position {}", temperature, position);
      check.expect_equal("token", drawn(logits, temperature, seed, position),
                         sampled(check, logits, temperature, seed, position));
    }
  }
}

LAB_CHECK("lab01.t5.c3") {
  Floats logits = check.random_floats(40);
  check.input("a NaN among 40 logits");
  Floats damaged = logits;
  damaged[size_t(check.random().below(40))] = kNan;
  check.expect_equal("greedy", kNoToken, greedy(check, damaged));
  check.expect_equal("sampled", kNoToken, sampled(check, damaged, 1.0f, 7, 3));
  check.input("40 logits of -infinity");
  const Floats none(40, -kInfinity);
  check.expect_equal("greedy", kNoToken, greedy(check, none));
  check.expect_equal("sampled", kNoToken, sampled(check, none, 1.0f, 7, 3));
  check.input("one finite logit, all others -infinity");
  Floats single = none;
  single[17] = -3.0f;
  check.expect_equal("greedy", int64_t{17}, greedy(check, single));
  check.expect_equal("sampled", int64_t{17}, sampled(check, single, 1.0f, 7, 3));
}

namespace {

struct Work {
  int64_t forwarded = 0, recomputed = 0;
};

/// Pass by pass.
Work played(int64_t prompt, int64_t output) {
  Work work;
  int64_t known = 0;
  for (int64_t pass = 0; pass < output; ++pass) {
    work.forwarded += prompt + pass;
    work.recomputed += known;
    known = prompt + pass;
  }
  return work;
}

Message naive_work(Check& check, int64_t prompt, int64_t output) {
  check.input("prompt = {}, output = {}", prompt, output);
  check.step("naive_work({}, {})", prompt, output);
  return check.call(Message("naive_work").set("prompt", prompt).set("output", output));
}

}  // namespace

LAB_CHECK("lab01.t6.c1") {
  for (const int64_t output : check.sizes({1, 2, 48, 1000, 70000})) {
    const int64_t prompt = 1 + check.random().below(3000);
    check.expect_equal("forwarded", played(prompt, output).forwarded,
                       naive_work(check, prompt, output).integer("forwarded"));
  }
}

LAB_CHECK("lab01.t6.c2") {
  for (const int64_t output : check.sizes({0, 1, 2, 48, 70000})) {
    const int64_t prompt = 1 + check.random().below(3000);
    const Message work = naive_work(check, prompt, output);
    check.expect_equal("recomputed", played(prompt, output).recomputed, work.integer("recomputed"));
    check.expect_equal("forwarded", played(prompt, output).forwarded, work.integer("forwarded"));
  }
}

LAB_QUESTION("lab01.q1") { return double(naive_work(check, 12, 48).integer("forwarded")); }

LAB_QUESTION("lab01.q2") {
  const Message work = naive_work(check, 12, 48);
  return 100.0 * double(work.integer("recomputed")) / double(work.integer("forwarded"));
}

LAB_QUESTION("lab01.q3") { return 32.0 * 32.0; }

LAB_QUESTION("lab01.q4") {
  const int64_t in = 256, out_width = 96;
  const std::vector<int64_t> weights(size_t(in * out_width), 0x3F80);  // ones
  int64_t moved[2];
  for (const int64_t coalesced : {0, 1}) {
    check.step("linear with in = {}, out_width = {}, coalesced = {}", in, out_width, coalesced);
    moved[coalesced] = check
                           .call(Message("linear")
                                     .set("x", check.random_floats(in))
                                     .set("weight", weights)
                                     .set("rows", int64_t{1})
                                     .set("in", in)
                                     .set("out_width", out_width)
                                     .set("coalesced", coalesced))
                           .integer("global_load.moved");
  }
  return double(moved[0]) / double(moved[1]);
}
