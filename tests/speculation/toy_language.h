#pragma once
/// @file
/// A language of a few words in which the last word decides how likely the next ones are: small enough to know every
/// probability, and to compare the output of a verifier with it.
#include <cmath>
#include <map>
#include <span>
#include <vector>

#include "stages/6_speculative_decoding/rejection_sampling.h"
#include "stages/core/random_stream.h"

namespace stagecraft::testing {

struct ToyLanguage {
  std::vector<Distribution> after;  // (vocabulary) what follows each word

  const Distribution& next(std::span<const TokenId> text) const { return after[size_t(text.back())]; }
};

/// Words are unlike each other: weights are e^(sharpness * normal).
inline ToyLanguage random_language(int vocabulary, float sharpness, uint64_t seed) {
  RandomStream random(seed, 17);
  ToyLanguage language;
  for (int word = 0; word < vocabulary; ++word) {
    std::vector<Distribution::Part> weights;
    for (TokenId id = 0; id < vocabulary; ++id) weights.push_back({id, std::exp(double(sharpness * random.normal()))});
    language.after.push_back(Distribution::proportional_to(weights));
  }
  return language;
}

using Text = std::vector<TokenId>;
/// How likely, or how frequent, each text of some length is.
using Texts = std::map<Text, double>;

/// All texts of `length` words after word 0 that `language` can make.
inline Texts true_texts(const ToyLanguage& language, int length) {
  Texts texts{{{0}, 1.0}};
  for (int i = 0; i < length; ++i) {
    Texts longer;
    for (const auto& [text, probability] : texts) {
      for (const auto& [id, share] : language.next(text).parts()) {
        Text with = text;
        with.push_back(id);
        longer[with] = probability * share;
      }
    }
    texts = std::move(longer);
  }
  return texts;
}

inline double total_variation(const Texts& a, const Texts& b) {
  const auto of = [](const Texts& texts, const Text& text) {
    const auto found = texts.find(text);
    return found == texts.end() ? 0.0 : found->second;
  };
  double sum = 0.0;
  for (const auto& [text, probability] : a) sum += std::abs(probability - of(b, text));
  for (const auto& [text, probability] : b) sum += a.count(text) ? 0.0 : probability;
  return sum / 2;
}

/// A guess of at most `length` words after `text`; `uniform(i)` chooses the i-th of them. It ends at a word after which
/// the drafter knows none.
template <class Uniform>
Draft toy_draft(const ToyLanguage& drafter, Text text, int length, const Uniform& uniform) {
  Draft draft;
  for (int i = 0; i < length && size_t(text.back()) < drafter.after.size(); ++i) {
    draft.drawn_from.push_back(drafter.next(text));
    draft.tokens.push_back(draft.drawn_from.back().draw(uniform(i)));
    text.push_back(draft.tokens.back());
  }
  return draft;
}

/// What the target says after `text` and after each word of `draft`. After a word that it does not have it says nothing.
inline std::vector<Distribution> target_rows(const ToyLanguage& target, Text text, const Draft& draft) {
  std::vector<Distribution> rows{target.next(text)};
  for (const TokenId id : draft.tokens) {
    rows.push_back(size_t(id) < target.after.size() ? target.after[size_t(id)] : Distribution());
  }
  return rows;
}

}  // namespace stagecraft::testing
