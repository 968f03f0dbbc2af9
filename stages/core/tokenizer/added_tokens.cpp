#include "stages/core/tokenizer/added_tokens.h"

#include <algorithm>

#include "stages/core/tokenizer/character_class.h"
#include "stages/core/tokenizer/part.h"

namespace stagecraft::tokenizer {

AddedTokens::AddedTokens(const JsonField& document, const Vocabulary& vocabulary, const Normalizer& normalizer) {
  const auto list = document.find("added_tokens");
  if (!list) return;
  for (size_t i = 0; i < list->array().size(); ++i) add(list->at(i), vocabulary);
  fill_tries(normalizer);
}

void AddedTokens::add(const JsonField& field, const Vocabulary& vocabulary) {
  const JsonField id_field = field.at("id"), text_field = field.at("content");
  const bool special = field.boolean_or("special", false);
  const AddedToken token{
      .id = TokenId(id_field.integer(0, tokenizer::largest_id(size_t(vocabulary.pieces()) + tokens_.size() + 1))),
      .text = text_field.text(),
      .special = special,
      .normalized = field.boolean_or("normalized", !special),
      .single_word = field.boolean_or("single_word", false),
      .left_strip = field.boolean_or("lstrip", false),
      .right_strip = field.boolean_or("rstrip", false),
  };
  if (token.text.empty()) text_field.fail("must not be empty");

  const auto in_vocabulary = vocabulary.find(token.text);
  if (in_vocabulary && *in_vocabulary != token.id)
    id_field.fail(fmt::format("must be {} as in model.vocab", *in_vocabulary));
  if (!in_vocabulary && vocabulary.piece(token.id) != nullptr) {
    id_field.fail(fmt::format("must not be the id of another piece, {}", in_quotes(*vocabulary.piece(token.id))));
  }
  if (!by_id_.emplace(token.id, tokens_.size()).second) id_field.fail("must not be used twice");
  if (!by_text_.emplace(token.text, tokens_.size()).second) text_field.fail("must not be added twice");

  largest_id_ = std::max<int64_t>(largest_id_, token.id);
  if (!in_vocabulary) ++outside_vocabulary_;
  tokens_.push_back(token);
}

/// Special tokens first: they win where normalization makes two texts equal.
void AddedTokens::fill_tries(const Normalizer& normalizer) {
  for (const bool special : {true, false}) {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      const AddedToken& token = tokens_[i];
      if (token.special != special) continue;
      const std::string text = token.normalized ? normalizer.apply(token.text) : token.text;
      if (!text.empty()) (token.normalized ? normalized_ : raw_).add(text, i);
    }
  }
}

std::vector<Section> AddedTokens::split(std::string_view text, bool normalized) const {
  const TokenTrie& trie = normalized ? normalized_ : raw_;
  std::vector<Section> sections;
  size_t done = 0;  // end of the last section
  for (size_t at = 0; at < text.size();) {
    const auto match = trie.longest_at(text, at);
    if (!match) {
      ++at;
      continue;
    }
    const AddedToken& token = tokens_[match->value];
    size_t begin = at, end = at + match->bytes;
    at = end;
    const bool in_word =
        ends_with_word_character(text.substr(0, begin)) || begins_with_word_character(text.substr(end));
    if (token.single_word && in_word) continue;
    if (end <= done) continue;  // white space itself, and already taken by the token before
    begin = std::max(begin, done);
    if (token.left_strip) begin -= white_space_at_end(text.substr(done, begin - done));
    if (token.right_strip) end += white_space_at_begin(text.substr(end));
    if (begin > done) sections.push_back({text.substr(done, begin - done), nullptr});
    sections.push_back({text.substr(begin, end - begin), &token});
    done = end;
  }
  if (done < text.size()) sections.push_back({text.substr(done), nullptr});
  return sections;
}

const AddedToken* AddedTokens::find(TokenId id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &tokens_[found->second];
}

const AddedToken* AddedTokens::find(std::string_view text) const {
  const auto found = by_text_.find(std::string(text));
  return found == by_text_.end() ? nullptr : &tokens_[found->second];
}

}  // namespace stagecraft::tokenizer
