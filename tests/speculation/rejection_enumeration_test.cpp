/// @file
/// Rejection sampling without chance: probabilities are eighths (or quarters), and all random numbers of a grid are tried.
/// Each falls on the same outcome as all the numbers of its cell, so the counts are the probabilities, exactly.
#include <array>
#include <cmath>
#include <string>

#include "tests/catch.h"
#include "tests/speculation/faulty_verifiers.h"
#include "tests/speculation/toy_language.h"

namespace stagecraft {
namespace {

using testing::faulty_verifiers;
using testing::NamedVerifier;
using testing::RejectionVerifier;
using testing::right_verifier;
using testing::Text;
using testing::Texts;
using testing::ToyLanguage;

constexpr int kWords = 3;
using Units = std::array<int, kWords>;  // probabilities in units of 1 / grid

Distribution of_units(const Units& units) {
  return Distribution::proportional_to({{0, double(units[0])}, {1, double(units[1])}, {2, double(units[2])}});
}

bool is_power_of_two_or_zero(int n) { return (n & (n - 1)) == 0; }

struct Pair {
  Units p, q;
};

std::vector<Units> all_units(int grid) {
  std::vector<Units> all;
  for (int a = 0; a <= grid; ++a) {
    for (int b = 0; a + b <= grid; ++b) all.push_back({a, b, grid - a - b});
  }
  return all;
}

/// All pairs for which the verifier's own quotients, p / q and (p - q) / sum, are multiples of 1 / grid or above 1.
std::vector<Pair> dyadic_pairs(int grid) {
  std::vector<Pair> pairs;
  for (const Units& p : all_units(grid)) {
    for (const Units& q : all_units(grid)) {
      int rest = 0;
      bool good = true;
      for (int i = 0; i < kWords; ++i) {
        rest += std::max(p[size_t(i)] - q[size_t(i)], 0);
        good = good && is_power_of_two_or_zero(q[size_t(i)]);
      }
      if (good && is_power_of_two_or_zero(rest)) pairs.push_back({p, q});
    }
  }
  return pairs;
}

double cell(int index, int grid) { return (index + 0.5) / grid; }

/// How often each word comes first, over all draft, accept and residual numbers of the grid.
Units first_words(const RejectionVerifier& verify, const Pair& pair, int grid) {
  const Distribution p = of_units(pair.p), q = of_units(pair.q);
  const std::vector<Distribution> target{p, Distribution::certain(0)};
  Units counts{};
  for (int d = 0; d < grid; ++d) {
    const Draft draft{{q.draw(cell(d, grid))}, {q}};
    for (int a = 0; a < grid; ++a) {
      for (int r = 0; r < grid; ++r) {
        const Verdict verdict = verify(draft, target, [&](size_t) {
          return JudgingNoise{cell(a, grid), cell(r, grid)};
        });
        ++counts[size_t(verdict.tokens.front())];
      }
    }
  }
  return counts;
}

Units expected_words(const Units& p, int grid) { return {p[0] * grid * grid, p[1] * grid * grid, p[2] * grid * grid}; }

TEST_CASE("one token: expected difference exactly 0, for all pairs of distributions in eighths", "[rejection]") {
  constexpr int kGrid = 8;
  const std::vector<Pair> pairs = dyadic_pairs(kGrid);
  CHECK(pairs.size() > 200);
  for (const Pair& pair : pairs) {
    REQUIRE(first_words(right_verifier, pair, kGrid) == expected_words(pair.p, kGrid));
  }
}

TEST_CASE("control: one token by a faulty verifier differs", "[rejection]") {
  constexpr int kGrid = 8;
  const Pair pair{{1, 3, 4}, {2, 4, 2}};
  CHECK(first_words(right_verifier, pair, kGrid) == expected_words(pair.p, kGrid));
  for (const NamedVerifier& faulty : faulty_verifiers()) {
    const bool only_the_bonus = std::string(faulty.name) == "bonus from the residual";
    INFO(faulty.name);
    CHECK((first_words(faulty.verify, pair, kGrid) == expected_words(pair.p, kGrid)) == only_the_bonus);
  }
}

TEST_CASE("control: one number for draft, accept and replacement differs", "[rejection]") {
  constexpr int kGrid = 8;
  const Pair pair{{1, 3, 4}, {2, 4, 2}};
  const Distribution p = of_units(pair.p), q = of_units(pair.q);
  const std::vector<Distribution> target{p, Distribution::certain(0)};
  Units counts{};
  for (int i = 0; i < kGrid; ++i) {
    const double shared = cell(i, kGrid);
    const Draft draft{{q.draw(shared)}, {q}};
    counts[size_t(verify_by_rejection(draft, target, [&](size_t) {
                    return JudgingNoise{shared, shared};
                  }).tokens[0])]++;
  }
  CHECK(counts != pair.p);
}

/// All texts of two words after word 0, weighted by how many combinations of the grid's numbers lead there: two drafted
/// words, then what the verifier makes of them. A rejected first word is followed by a draw from the target: that a new
/// draft would give just this is what the tests of one token show.
Texts first_two_words(const RejectionVerifier& verify, const ToyLanguage& target, const ToyLanguage& drafter,
                      int drafted, int grid) {
  Texts texts;
  std::array<int, 6> at{};  // draft 1, draft 2, accept 1, accept 2, replacement or bonus, the word after a rejection
  const int64_t combinations = int64_t(std::pow(grid, at.size()));
  for (int64_t combination = 0; combination < combinations; ++combination) {
    int64_t rest = combination;
    for (int& index : at) index = int(rest % grid), rest /= grid;
    const Draft draft = testing::toy_draft(drafter, {0}, drafted, [&](int i) { return cell(at[size_t(i)], grid); });
    const std::vector<Distribution> rows = testing::target_rows(target, {0}, draft);
    const Verdict verdict = verify(draft, rows, [&](size_t i) {
      return JudgingNoise{cell(at[std::min<size_t>(2 + i, 3)], grid), cell(at[4], grid)};
    });
    Text text{0};
    text.insert(text.end(), verdict.tokens.begin(), verdict.tokens.end());
    if (text.size() == 2) text.push_back(target.next(text).draw(cell(at[5], grid)));
    text.resize(3);
    texts[text] += 1.0 / double(combinations);
  }
  return texts;
}

ToyLanguage language_of(const std::vector<Units>& after) {
  ToyLanguage language;
  for (const Units& units : after) language.after.push_back(of_units(units));
  return language;
}

TEST_CASE("two tokens: the joint distribution is exactly the target's, for many languages in quarters", "[rejection]") {
  constexpr int kGrid = 4;
  const std::vector<Pair> pairs = dyadic_pairs(kGrid);
  RandomStream random(5, 23);
  const auto some_pair = [&] { return pairs[size_t(random.below(uint32_t(pairs.size())))]; };
  int differ = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Pair a = some_pair(), b = some_pair(), c = some_pair();
    const ToyLanguage target = language_of({a.p, b.p, c.p}), drafter = language_of({a.q, b.q, c.q});
    const int drafted = 1 + trial % 2;
    const Texts expected = testing::true_texts(target, 2);
    REQUIRE(testing::total_variation(first_two_words(right_verifier, target, drafter, drafted, kGrid), expected) ==
            0.0);
    const Texts faulty = first_two_words(testing::bonus_from_residual, target, drafter, drafted, kGrid);
    differ += testing::total_variation(faulty, expected) > 0.01 ? 1 : 0;
  }
  CHECK(differ > 10);  // a wrong bonus is seen where a draft of one is accepted
}

TEST_CASE("at temperature 0 rejection sampling is the main verifier", "[rejection]") {
  const auto certain = [](TokenId id) { return Distribution::certain(id); };
  const std::vector<Distribution> target{certain(4), certain(5), certain(6), certain(7)};
  for (const Text& drafted : {Text{4, 5, 6}, Text{4, 5, 9}, Text{1, 5, 6}}) {
    const Verdict verdict = verify_by_rejection({drafted, {}}, target, 3, 100);
    const Verdict match = verify_by_match(drafted, Text{4, 5, 6, 7});
    CHECK(verdict.accepted == match.accepted);
    CHECK(verdict.tokens == match.tokens);
  }
}

TEST_CASE("a draft of length 0 is a draw from the target", "[rejection]") {
  const std::vector<Distribution> target{of_units({1, 2, 1})};
  const Verdict verdict = verify_by_rejection({}, target, [](size_t) { return JudgingNoise{0.9, 0.3}; });
  CHECK(verdict.accepted == 0);
  CHECK(verdict.tokens == Text{1});
}

TEST_CASE("draft and target agree: everything is accepted, whatever the dice say", "[rejection]") {
  const Distribution p = of_units({1, 2, 1});
  const auto worst = [](size_t) { return JudgingNoise{std::nextafter(1.0, 0.0), 0.0}; };
  for (const TokenId id : {0, 1, 2}) {
    CHECK(verify_by_rejection({{id}, {p}}, std::vector<Distribution>{p, p}, worst).accepted == 1);
  }
}

TEST_CASE("a token that the target cannot say is never accepted", "[rejection]") {
  const std::vector<Distribution> target{of_units({0, 1, 1}), of_units({1, 1, 1})};
  const auto luckiest = [](size_t) { return JudgingNoise{0.0, 0.0}; };
  const Verdict verdict = verify_by_rejection({{0}, {}}, target, luckiest);
  CHECK(verdict.accepted == 0);
  CHECK(verdict.tokens == Text{1});
}

TEST_CASE("what was not drawn from its distribution, or has too few rows, is a bug of the engine", "[rejection]") {
  const std::vector<Distribution> target{of_units({1, 1, 2}), of_units({1, 1, 2})};
  CHECK_THROWS_AS(verify_by_rejection({{0}, {of_units({0, 1, 1})}}, target, 1, 1), std::logic_error);
  CHECK_THROWS_AS(verify_by_rejection({{0, 1}, {}}, target, 1, 1), std::logic_error);
}

TEST_CASE("rounding may leave nothing of the residual: then the target itself is drawn from", "[rejection]") {
  const Distribution p = of_units({1, 2, 1});
  CHECK(total_variation(residual(p, p), p) == 0.0);
}

}  // namespace
}  // namespace stagecraft
