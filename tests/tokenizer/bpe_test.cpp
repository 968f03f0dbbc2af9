/// @file
/// Byte-pair encoding: the same pieces as the definition gives, in near-linear work.
#include "stages/core/tokenizer/bpe.h"

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/catch.h"
#include "tests/tokenizer/small_tokenizer.h"

using namespace stagecraft;
using namespace stagecraft::testing;
using stagecraft::tokenizer::Bpe;
using stagecraft::tokenizer::BpeScratch;

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// BPE as it is defined: look at all neighbours, merge the first pair of the lowest rank, start again.
std::vector<std::string> merged_by_definition(std::vector<std::string> pieces, const Pairs& merges) {
  std::map<std::pair<std::string, std::string>, size_t> ranks;
  for (size_t i = 0; i < merges.size(); ++i) ranks[merges[i]] = i;
  for (;;) {
    size_t best = merges.size(), where = 0;
    for (size_t i = 0; i + 1 < pieces.size(); ++i) {
      const auto rank = ranks.find({pieces[i], pieces[i + 1]});
      if (rank != ranks.end() && rank->second < best) best = rank->second, where = i;
    }
    if (best == merges.size()) return pieces;
    pieces[where] += pieces[where + 1];
    pieces.erase(pieces.begin() + int64_t(where) + 1);
  }
}

/// Letters a to d, and `count` random merges of pieces that exist.
std::pair<std::vector<std::string>, Pairs> random_merges(std::mt19937& random, int count) {
  std::vector<std::string> pieces = {"a", "b", "c", "d"};
  Pairs merges;
  while (int(merges.size()) < count) {
    const auto any = [&] { return pieces[random() % pieces.size()]; };
    const std::pair<std::string, std::string> pair = {any(), any()};
    const std::string whole = pair.first + pair.second;
    if (whole.size() > 8) continue;
    if (std::find(pieces.begin(), pieces.end(), whole) == pieces.end()) pieces.push_back(whole);
    merges.push_back(pair);
  }
  return {pieces, merges};
}

std::string random_word(std::mt19937& random, size_t length, int letters) {
  std::string word;
  for (size_t i = 0; i < length; ++i) word += char('a' + random() % unsigned(letters));
  return word;
}

nlohmann::json model_of(const std::vector<std::string>& pieces, const Pairs& merges) {
  return {{"type", "BPE"}, {"vocab", vocabulary_of(pieces)}, {"merges", merges}};
}

Bpe bpe_of(const nlohmann::json& model) { return Bpe(JsonField(model, "test")); }

std::vector<TokenId> encoded(const nlohmann::json& model, std::string_view word) {
  std::vector<TokenId> ids;
  BpeScratch scratch;
  bpe_of(model).encode(word, ids, scratch);
  return ids;
}

int64_t queue_operations(const Bpe& bpe, const std::string& word) {
  std::vector<TokenId> ids;
  BpeScratch scratch;
  bpe.encode(word, ids, scratch);
  return scratch.queue_operations();
}

using Ids = std::vector<TokenId>;

}  // namespace

TEST_CASE("the queue merges what the definition merges, for random vocabularies and words") {
  std::mt19937 random(20261129);
  for (int round = 0; round < 60; ++round) {
    const auto [pieces, merges] = random_merges(random, 1 + round);
    const Bpe bpe = bpe_of(model_of(pieces, merges));
    BpeScratch scratch;
    for (size_t length = 0; length < 40; ++length) {
      const std::string word = random_word(random, length, 4);
      std::vector<std::string> letters;
      for (const char letter : word) letters.emplace_back(1, letter);
      std::vector<TokenId> expected, ids;
      for (const std::string& piece : merged_by_definition(letters, merges))
        expected.push_back(*bpe.vocabulary().find(piece));
      bpe.encode(word, ids, scratch);
      INFO(word);
      CHECK(ids == expected);
    }
  }
}

TEST_CASE("of equal pairs the leftmost merges first") {
  CHECK(encoded(model_of({"a", "aa"}, {{"a", "a"}}), "aaaaa") == Ids{1, 1, 0});
}

TEST_CASE("where a pair occurs twice among the merges the later rank counts") {
  const std::vector<std::string> pieces = {"a", "b", "c", "ab", "bc"};
  CHECK(encoded(model_of(pieces, {{"a", "b"}, {"b", "c"}}), "abc") == Ids{3, 2});
  CHECK(encoded(model_of(pieces, {{"a", "b"}, {"b", "c"}, {"a", "b"}}), "abc") == Ids{0, 4});
}

TEST_CASE("a word of n letters costs at most 6 n queue operations") {
  std::mt19937 random(7);
  const auto [pieces, merges] = random_merges(random, 200);
  const Bpe bpe = bpe_of(model_of(pieces, merges));
  for (const size_t length : {size_t(1000), size_t(10'000), size_t(100'000)}) {
    const int64_t operations = queue_operations(bpe, random_word(random, length, 4));
    CHECK(operations > int64_t(length) / 2);  // it did work
    CHECK(operations <= int64_t(6 * length));
    CHECK(queue_operations(bpe, std::string(length, 'a')) <= int64_t(6 * length));
  }
}

TEST_CASE("ignore_merges finds a word that no merge builds, but not a part of one") {
  nlohmann::json model = model_of({"a", "b", "ab"}, {});
  CHECK(encoded(model, "ab") == Ids{0, 1});
  model["ignore_merges"] = true;
  CHECK(encoded(model, "ab") == Ids{2});
  CHECK(encoded(model, "aba") == Ids{0, 1, 0});
}

TEST_CASE("unknown characters are one token each, or one for a run of them") {
  nlohmann::json model = model_of({"?", "a"}, {});
  model["unk_token"] = "?";
  CHECK(encoded(model, "xya\u00E9") == Ids{0, 0, 1, 0});
  model["fuse_unk"] = true;
  CHECK(encoded(model, "xya\u00E9") == Ids{0, 1, 0});
}

TEST_CASE("without an unknown token, unknown characters are dropped and their neighbours may merge") {
  CHECK(encoded(model_of({"a", "aa"}, {{"a", "a"}}), "axa") == Ids{1});
  nlohmann::json model = model_of({"a", "aa"}, {{"a", "a"}});
  model["unk_token"] = "";  // as GPT-2's file has it
  CHECK(encoded(model, "axa") == Ids{1});
}

TEST_CASE("byte fallback spells an unknown character in bytes if it has all of them") {
  nlohmann::json model = model_of({"?", "a", "<0xC3>", "<0xA9>"}, {});
  model["unk_token"] = "?";
  model["byte_fallback"] = true;
  CHECK(encoded(model, "a\u00E9") == Ids{1, 2, 3});
  CHECK(encoded(model, "a\u00EA") == Ids{1, 0});  // C3 AA: one byte is missing
  model["byte_fallback"] = false;
  CHECK(encoded(model, "a\u00E9") == Ids{1, 0});
}
