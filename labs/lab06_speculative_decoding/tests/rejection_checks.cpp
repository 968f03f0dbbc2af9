/// @file
/// Lab 6: rejection sampling against exact enumeration, and what it is worth.
#include <cmath>

#include "labs/support/check.h"

namespace {

using stagecraft::labs::Check;
using stagecraft::labs::Message;
using Integers = std::vector<int64_t>;
using Floats = std::vector<float>;
using Doubles = std::vector<double>;

constexpr double kTolerance = 1e-6;
constexpr float kLargestNoise = 0x1.fffffep-1f;  // the largest float below 1

// Weights in whole numbers stand for distributions: both sides divide them by their sum.

Integers random_weights(Check& check, int64_t vocabulary) {
  Integers weights(static_cast<size_t>(vocabulary));
  for (int64_t& weight : weights) weight = check.random().below(4) == 0 ? 0 : 1 + check.random().below(1000);
  weights[size_t(check.random().below(uint32_t(vocabulary)))] += 500;
  return weights;
}

Doubles probabilities(const Integers& weights) {
  double sum = 0;
  for (const int64_t weight : weights) sum += double(weight);
  Doubles all;
  for (const int64_t weight : weights) all.push_back(double(weight) / sum);
  return all;
}

int64_t draw(const Integers& weights, double uniform) {
  const Doubles all = probabilities(weights);
  double below = 0;
  int64_t last = 0;
  for (size_t id = 0; id < all.size(); ++id) {
    if (all[id] <= 0) continue;
    last = int64_t(id);
    below += all[id];
    if (uniform < below) break;
  }
  return last;
}

/// Many drafts to be judged in one call.
struct Cases {
  int64_t vocabulary, drafted;
  Integers p, q;                   // distributions, one behind the other
  Integers draft, q_rows, p_rows;  // tokens; which distribution goes with each
  Floats noise;

  void add(const Integers& tokens, const Integers& q_of, const Integers& p_of, const Floats& numbers) {
    draft.insert(draft.end(), tokens.begin(), tokens.end());
    q_rows.insert(q_rows.end(), q_of.begin(), q_of.end());
    p_rows.insert(p_rows.end(), p_of.begin(), p_of.end());
    noise.insert(noise.end(), numbers.begin(), numbers.end());
  }

  Message message() const {
    return Message("reject")
        .set("vocabulary", vocabulary)
        .set("drafted", drafted)
        .set("p", p)
        .set("q", q)
        .set("draft", draft)
        .set("q_rows", q_rows)
        .set("p_rows", p_rows)
        .set("noise", noise);
  }
};

void append(Integers& to, const Integers& more) { to.insert(to.end(), more.begin(), more.end()); }

Doubles residual(const Integers& p, const Integers& q) {
  const Doubles of_p = probabilities(p), of_q = probabilities(q);
  Doubles rest;
  double sum = 0;
  for (size_t id = 0; id < p.size(); ++id) sum += rest.emplace_back(std::max(0.0, of_p[id] - of_q[id]));
  if (sum <= 0) return of_p;
  for (double& probability : rest) probability /= sum;
  return rest;
}

void expect_residual(Check& check, const Integers& p, const Integers& q) {
  check.step("residual(p, q) of {} tokens", p.size());
  const Message answer = check.call(Message("residual").set("vocabulary", int64_t(p.size())).set("p", p).set("q", q));
  check.expect_close("residual", residual(p, q), answer.floats("residual"), kTolerance);
}

void expect_verdict(Check& check, const Cases& cases, int64_t accepted, const Integers& tokens) {
  check.step("verify_by_rejection(draft of {}, q, p, noise)", cases.drafted);
  const Message answer = check.call(cases.message());
  check.expect_equal("accepted", accepted, answer.integers("accepted").at(0));
  check.expect_equal("tokens", tokens, answer.integers("tokens"));
}

double total_variation(const Doubles& expected, const Doubles& got) {
  double sum = 0;
  for (size_t i = 0; i < expected.size(); ++i) sum += std::abs(expected[i] - got[i]);
  return sum / 2;
}

void expect_variation(const Check& check, double most, double got) {
  check.expect(got <= most, fmt::format("total variation <= {}", most), fmt::format("{:.4f}", got));
}

bool is_power_of_two_or_zero(int64_t n) { return (n & (n - 1)) == 0; }

constexpr int64_t kGrid = 8;

/// p and q in eighths, so that p / q and the residual are, too: then a grid of eight numbers enumerates all there is.
struct Pair {
  Integers p, q;
};

Integers random_eighths(Check& check) {
  const int64_t a = check.random().below(kGrid + 1), b = check.random().below(uint32_t(kGrid - a + 1));
  return {a, b, kGrid - a - b};
}

Pair random_pair(Check& check) {
  for (;;) {
    const Pair pair{random_eighths(check), random_eighths(check)};
    int64_t rest = 0;
    bool good = pair.p != pair.q;
    for (size_t i = 0; i < pair.p.size(); ++i) {
      rest += std::max<int64_t>(pair.p[i] - pair.q[i], 0);
      good = good && is_power_of_two_or_zero(pair.q[i]);
    }
    if (good && is_power_of_two_or_zero(rest)) return pair;
  }
}

/// A draft of one token for all random numbers of a grid.
Cases all_of_grid(const Pair& pair, int64_t grid) {
  Cases cases{int64_t(pair.p.size()), 1, pair.p, pair.q, {}, {}, {}, {}};
  append(cases.p, pair.p);
  const auto cell = [&](int64_t i) { return (float(i) + 0.5f) / float(grid); };
  for (int64_t d = 0; d < grid; ++d) {
    for (int64_t a = 0; a < grid; ++a) {
      for (int64_t r = 0; r < grid; ++r) {
        cases.add({draw(pair.q, double(cell(d)))}, {0}, {0, 1}, {cell(a), cell(r), 0.5f, 0.5f});
      }
    }
  }
  return cases;
}

/// A language in which the next word depends on the last: row `vocabulary` begins a text.
using Language = std::vector<Integers>;

Language random_language(Check& check, int64_t vocabulary) {
  Language language;
  for (int64_t i = 0; i <= vocabulary; ++i) language.push_back(random_weights(check, vocabulary));
  return language;
}

/// The first two words of texts that are drafted and judged, as shares.
Doubles first_two_words(Check& check, const Language& target, const Language& drafter, int64_t drafted) {
  constexpr int kTexts = 30000;
  const int64_t vocabulary = int64_t(target.size()) - 1;
  Cases cases{vocabulary, drafted, {}, {}, {}, {}, {}, {}};
  for (const Integers& row : target) append(cases.p, row);
  for (const Integers& row : drafter) append(cases.q, row);
  for (int i = 0; i < kTexts; ++i) {
    Integers draft, rows{vocabulary};
    for (int64_t k = 0; k < drafted; ++k) {
      draft.push_back(draw(drafter[size_t(rows.back())], double(check.random().uniform())));
      rows.push_back(draft.back());
    }
    Floats noise;
    for (int64_t k = 0; k < 2 * (drafted + 1); ++k) noise.push_back(check.random().uniform());
    cases.add(draft, {rows.begin(), rows.end() - 1}, rows, noise);
  }
  const Message answer = check.call(cases.message());
  const Integers& counts = answer.integers("counts");
  const Integers& tokens = answer.integers("tokens");
  check.expect_equal("verdicts", kTexts, int64_t(counts.size()));
  Doubles shares(size_t(vocabulary * vocabulary));
  size_t at = 0;
  for (const int64_t count : counts) {
    check.expect(count >= 1 && count <= drafted + 1 && at + size_t(count) <= tokens.size(),
                 fmt::format("1 to {} tokens", drafted + 1), fmt::format("{}", count));
    const int64_t first = tokens[at];
    check.expect(first >= 0 && first < vocabulary, "a token of the vocabulary", fmt::format("{}", first));
    // After a rejection the next step begins anew: its first word is the target's.
    const int64_t second = count > 1 ? tokens[at + 1] : draw(target[size_t(first)], double(check.random().uniform()));
    check.expect(second >= 0 && second < vocabulary, "a token of the vocabulary", fmt::format("{}", second));
    shares[size_t(first * vocabulary + second)] += 1.0 / kTexts;
    at += size_t(count);
  }
  return shares;
}

Doubles true_first_two_words(const Language& target) {
  Doubles shares;
  const Doubles first = probabilities(target.back());
  for (size_t a = 0; a < first.size(); ++a) {
    for (const double b : probabilities(target[a])) shares.push_back(first[a] * b);
  }
  return shares;
}

}  // namespace

LAB_CHECK("lab06.t4.c1") {
  for (const int64_t vocabulary : check.sizes({2, 3, 33, 129})) {
    const Integers p = random_weights(check, vocabulary), q = random_weights(check, vocabulary);
    check.input("p and q random over {} tokens", vocabulary);
    expect_residual(check, p, q);
    check.input("p = q over {} tokens", vocabulary);
    expect_residual(check, p, p);
  }
}

LAB_CHECK("lab06.t4.c2") {
  for (const int64_t drafted : {1, 2, 5}) {
    Cases same{9, drafted, {}, {}, {}, {}, {}, {}};
    Integers draft, rows;
    Floats noise;
    for (int64_t i = 0; i <= drafted; ++i) {
      const Integers weights = random_weights(check, same.vocabulary);
      append(same.p, weights);
      append(same.q, weights);
      rows.push_back(i);
      noise.insert(noise.end(), {kLargestNoise, check.random().uniform()});
      draft.push_back(draw(weights, double(i < drafted ? check.random().uniform() : noise.back())));
    }
    same.add({draft.begin(), draft.end() - 1}, {rows.begin(), rows.end() - 1}, rows, noise);
    check.input("p = q for each of {} drafted tokens, and the largest accept noise below 1", drafted);
    expect_verdict(check, same, drafted, draft);
  }
  for (const int64_t drafted : {1, 3}) {
    const Integers low = {3, 1, 4, 1, 0, 0, 0, 0}, high = {0, 0, 0, 0, 5, 9, 2, 6};
    Cases disjoint{8, drafted, high, low, {}, {}, {}, {}};
    const float uniform = check.random().uniform();
    Integers draft;
    for (int64_t i = 0; i < drafted; ++i) draft.push_back(draw(low, double(check.random().uniform())));
    Floats noise;
    for (int64_t i = 0; i <= drafted; ++i) noise.insert(noise.end(), {0.0f, uniform});
    disjoint.add(draft, Integers(size_t(drafted), 0), Integers(size_t(drafted) + 1, 0), noise);
    check.input("p and q have no token in common, {} drafted, and accept noise of 0", drafted);
    expect_verdict(check, disjoint, 0, {draw(high, double(uniform))});
  }
  const Integers weights = random_weights(check, 7);
  const float uniform = check.random().uniform();
  Cases none{7, 0, weights, {}, {}, {}, {}, {}};
  none.add({}, {}, {0}, {0.5f, uniform});
  check.input("an empty draft");
  expect_verdict(check, none, 0, {draw(weights, double(uniform))});
}

LAB_CHECK("lab06.t4.c3") {
  for (int pairs = 0; pairs < 25; ++pairs) {
    const Pair pair = random_pair(check);
    check.input("p = ({}) / 8, q = ({}) / 8", fmt::join(pair.p, ", "), fmt::join(pair.q, ", "));
    check.step("verify_by_rejection for all {} combinations of draft, accept and residual noise in eighths",
               kGrid * kGrid * kGrid);
    const Message answer = check.call(all_of_grid(pair, kGrid).message());
    Doubles shares(pair.p.size());
    size_t at = 0;
    for (const int64_t count : answer.integers("counts")) {
      const int64_t first = answer.integers("tokens").at(at);
      check.expect(first >= 0 && first < int64_t(shares.size()), "a token of the vocabulary", fmt::format("{}", first));
      shares[size_t(first)] += 1.0 / double(kGrid * kGrid * kGrid);
      at += size_t(std::max<int64_t>(count, 1));
    }
    const Doubles expected = probabilities(pair.p);
    const double variation = total_variation(expected, shares);
    check.expect(variation <= 0.0,
                 fmt::format("total variation <= 0: words as often as {:.4f}", fmt::join(expected, ", ")),
                 fmt::format("{:.4f}: {:.4f}", variation, fmt::join(shares, ", ")));
  }
}

LAB_CHECK("lab06.t4.c4") {
  constexpr double kMost = 0.025;
  for (const int64_t drafted : {1, 2}) {
    const Language target = random_language(check, 5), drafter = random_language(check, 5);
    check.input("two random languages of 5 words, drafts of {}", drafted);
    check.step("verify_by_rejection, 30000 times; the first two words that come out are counted");
    expect_variation(check, kMost,
                     total_variation(true_first_two_words(target), first_two_words(check, target, drafter, drafted)));
  }
}

LAB_QUESTION("lab06.q3") {
  const Message answer = check.call(all_of_grid({{6, 3, 1}, {2, 5, 3}}, 30).message());
  double accepted = 0;
  for (const int64_t one : answer.integers("accepted")) accepted += double(one);
  return 100.0 * accepted / double(answer.integers("accepted").size());
}
