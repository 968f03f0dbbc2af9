/// @file
/// Rejection sampling by chance: a million texts, with the random numbers that an engine would use, and how often each
/// came. What a fault changes is far more than what chance does.
#include <cmath>

#include "tests/catch.h"
#include "tests/speculation/faulty_verifiers.h"
#include "tests/speculation/toy_language.h"

namespace stagecraft {
namespace {

using testing::faulty_verifiers;
using testing::NamedVerifier;
using testing::right_verifier;
using testing::Text;
using testing::Texts;
using testing::ToyLanguage;

constexpr double kBar = 1e-2;              // total variation
constexpr int64_t kManyTexts = 1'000'000;  // chance alone: below 3e-3 for 64 texts
constexpr int64_t kFewTexts = 200'000;     // likewise 7e-3
constexpr int kWords = 4;

struct Setting {
  ToyLanguage target = testing::random_language(kWords, 1.0f, 1);
  ToyLanguage drafter = testing::random_language(kWords, 1.0f, 2);
  int drafted = 2;
  int words = 2;  // of each text
  testing::RejectionVerifier verify = right_verifier;
  bool one_stream_for_all = false;
};

double draft_number(const Setting& setting, uint64_t seed, int64_t position) {
  return uniform_at(seed, position, setting.one_stream_for_all ? NoiseStream::accept : NoiseStream::draft);
}

JudgingNoise judging_numbers(const Setting& setting, uint64_t seed, int64_t position) {
  const JudgingNoise noise = judging_noise(seed, position);
  return setting.one_stream_for_all ? JudgingNoise{noise.accept, noise.accept} : noise;
}

/// One request: rounds of drafting and verifying until there are enough words.
Text text_of(const Setting& setting, uint64_t seed) {
  Text text{0};
  while (int(text.size()) < 1 + setting.words) {
    const auto position = int64_t(text.size());
    const Draft draft = testing::toy_draft(setting.drafter, text, setting.drafted,
                                           [&](int i) { return draft_number(setting, seed, position + i); });
    const Verdict verdict = setting.verify(draft, testing::target_rows(setting.target, text, draft), [&](size_t i) {
      return judging_numbers(setting, seed, position + int64_t(i));
    });
    text.insert(text.end(), verdict.tokens.begin(), verdict.tokens.end());
  }
  text.resize(size_t(1 + setting.words));
  return text;
}

/// How far the frequencies of `count` texts, each with its own seed, are from the target's probabilities.
double distance(const Setting& setting, int64_t count) {
  Texts frequencies;
  for (int64_t seed = 0; seed < count; ++seed) frequencies[text_of(setting, uint64_t(seed))] += 1.0 / double(count);
  return testing::total_variation(frequencies, testing::true_texts(setting.target, setting.words));
}

TEST_CASE("a million draws: total variation of two tokens at most 1e-2", "[statistics]") {
  const double of_two = distance({}, kManyTexts);
  INFO("total variation " << of_two);
  CHECK(of_two <= kBar);
}

TEST_CASE("three tokens over several rounds, and drafts of other lengths", "[statistics]") {
  for (const int drafted : {1, 3}) {
    const double of_three = distance({.drafted = drafted, .words = 3}, kFewTexts);
    INFO("drafts of " << drafted << ": total variation " << of_three);
    CHECK(of_three <= kBar);
  }
}

TEST_CASE("a drafter without dice is judged by q = 1 at its token", "[statistics]") {
  ToyLanguage stubborn;
  for (const TokenId id : {2, 0, 3, 1}) stubborn.after.push_back(Distribution::certain(id));
  CHECK(distance({.drafter = stubborn}, kFewTexts) <= kBar);
}

TEST_CASE("control: each faulty verifier is caught", "[statistics]") {
  for (const NamedVerifier& faulty : faulty_verifiers()) {
    const double off = distance({.drafted = 1, .verify = faulty.verify}, kFewTexts);
    INFO(faulty.name << ": total variation " << off);
    CHECK(off > 3 * kBar);
  }
}

TEST_CASE("control: one stream of random numbers for draft, accept and replacement is caught", "[statistics]") {
  const double off = distance({.one_stream_for_all = true}, kFewTexts);
  INFO("total variation " << off);
  CHECK(off > 3 * kBar);
}

TEST_CASE("control: cutting a random draft where an impossible token fell is caught, cutting by distribution is right",
          "[statistics]") {
  // After two of the words the drafter may say a fifth that the target does not have.
  ToyLanguage drafter = testing::random_language(kWords, 1.0f, 2);
  const ToyLanguage more_words = testing::random_language(kWords + 1, 1.0f, 3);
  for (const size_t word : {0, 3}) drafter.after[word] = more_words.after[word];
  const auto cut_by_token = [](const Draft& draft, auto target, const auto& noise) {
    Draft cut = draft;
    size_t usable = 0;
    while (usable < cut.size() && cut.tokens[usable] < kWords) ++usable;
    cut.cut(usable);
    return verify_by_rejection(cut, target.first(usable + 1), noise);
  };
  const auto cut_by_distribution = [](const Draft& draft, auto target, const auto& noise) {
    Draft cut = draft;
    cut.cut(usable_prefix(draft, kWords));
    return verify_by_rejection(cut, target.first(cut.size() + 1), noise);
  };
  const Setting wrong{.drafter = drafter, .words = 3, .verify = cut_by_token};
  const Setting right{.drafter = drafter, .words = 3, .verify = cut_by_distribution};
  CHECK(distance(wrong, kFewTexts) > 3 * kBar);
  CHECK(distance(right, kFewTexts) <= kBar);
}

TEST_CASE("tokens are accepted as often as any verifier can: 1 - total variation", "[statistics]") {
  const Setting setting;
  const Distribution &p = setting.target.after[0], &q = setting.drafter.after[0];
  const std::vector<Distribution> rows{p, p};
  int64_t accepted = 0;
  for (int64_t seed = 0; seed < kFewTexts; ++seed) {
    const TokenId id = q.draw(uniform_at(uint64_t(seed), 1, NoiseStream::draft));
    accepted += int64_t(verify_by_rejection({{id}, {q}}, rows, uint64_t(seed), 1).accepted);
  }
  CHECK(std::abs(double(accepted) / double(kFewTexts) - (1 - total_variation(p, q))) < 5e-3);
}

TEST_CASE("positions and streams of one seed are independent of each other", "[statistics]") {
  constexpr int64_t kNumbers = 100'000;
  const auto correlation = [](auto a, auto b) {
    double sum = 0;
    for (int64_t i = 0; i < kNumbers; ++i) sum += (a(i) - 0.5) * (b(i) - 0.5);
    return 12 * sum / double(kNumbers);  // the variance of a uniform number is 1/12
  };
  const auto stream = [](NoiseStream name, int64_t shift) {
    return [=](int64_t i) { return uniform_at(9, i + shift, name); };
  };
  const auto draft = stream(NoiseStream::draft, 0), accept = stream(NoiseStream::accept, 0),
             rest = stream(NoiseStream::residual, 0);
  CHECK(std::abs(correlation(draft, accept)) < 0.015);
  CHECK(std::abs(correlation(draft, rest)) < 0.015);
  CHECK(std::abs(correlation(accept, rest)) < 0.015);
  CHECK(std::abs(correlation(draft, stream(NoiseStream::draft, 1))) < 0.015);
  CHECK(correlation(draft, draft) > 0.9);  // the measure is alive
}

}  // namespace
}  // namespace stagecraft
