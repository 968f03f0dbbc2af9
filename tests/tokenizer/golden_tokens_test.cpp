/// @file
/// Ids and texts of all six families, as Hugging Face tokenizers gives them: texts in which every kind of thing that is easily
/// got wrong occurs, and ids that no encoder makes.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "stages/core/tokenizer/tokenizer.h"
#include "stages/core/tokenizer/utf8.h"
#include "tests/catch.h"

using namespace stagecraft;

namespace {

constexpr size_t kTexts = 206;
constexpr size_t kLeastIdLists = 32;

std::filesystem::path golden() { return std::filesystem::path(STAGECRAFT_SOURCE_DIR) / "tests/golden"; }

Tokenizer load(const std::string& family) {
  if (family == "tiny") return Tokenizer::load(std::filesystem::path(STAGECRAFT_SOURCE_DIR) / "models/tales-5m");
  return Tokenizer::load(golden() / "tokenizers" / family);
}

std::vector<nlohmann::json> records(const std::string& file) {
  std::ifstream stream(golden() / "tokenizer" / file);
  std::vector<nlohmann::json> all;
  for (std::string line; std::getline(stream, line);) all.push_back(nlohmann::json::parse(line));
  return all;
}

/// What is printed token by token; every part of it must be whole characters.
std::string streamed(const Tokenizer& tokenizer, const std::vector<TokenId>& ids, SpecialTokens special) {
  StreamingDecoder decoder(tokenizer, special);
  std::string text;
  for (const TokenId id : ids) {
    const std::string part = decoder.push(id);
    if (tokenizer::first_broken_byte(part) != part.npos) FAIL_CHECK("a torn character was printed: " << part);
    text += part;
  }
  return text + decoder.finish();
}

void check_decoding(const Tokenizer& tokenizer, const nlohmann::json& record) {
  const std::vector<TokenId> ids = record["ids"];
  const std::string decoded = record["decoded"];
  const std::string plain = record.value("decoded_skip_special", decoded);
  CHECK(tokenizer.decode(ids) == decoded);
  CHECK(tokenizer.decode(ids, SpecialTokens::skip) == plain);
  CHECK(streamed(tokenizer, ids, SpecialTokens::keep) == decoded);
  CHECK(streamed(tokenizer, ids, SpecialTokens::skip) == plain);
}

}  // namespace

TEST_CASE("golden texts have the reference's ids, and decode to the reference's text") {
  const std::string family = GENERATE("tiny", "smollm2", "llama3", "qwen2", "llama2", "metaspace");
  const Tokenizer tokenizer = load(family);
  const auto texts = records(family + ".jsonl");
  REQUIRE(texts.size() == kTexts);
  for (const nlohmann::json& record : texts) {
    INFO(family << ", " << record["kind"] << ": " << record["text"].dump());
    const std::string text = record["text"];
    const std::vector<TokenId> ids = record["ids"];
    CHECK(tokenizer.encode(text) == ids);
    CHECK(tokenizer.encode(text, SpecialTokens::skip) == record.value("ids_plain", ids));
    check_decoding(tokenizer, record);
  }
}

TEST_CASE("golden ids that no encoder makes decode to the reference's text") {
  const std::string family = GENERATE("tiny", "smollm2", "llama3", "qwen2", "llama2", "metaspace");
  const Tokenizer tokenizer = load(family);
  const auto lists = records(family + ".decode.jsonl");
  REQUIRE(lists.size() >= kLeastIdLists);
  for (const nlohmann::json& record : lists) {
    INFO(family << ", " << record["kind"] << ": " << record["ids"].dump());
    check_decoding(tokenizer, record);
  }
}

TEST_CASE("the golden records can tell two tokenizers apart") {
  const Tokenizer wrong = load("llama3");
  size_t different = 0;
  for (const nlohmann::json& record : records("qwen2.jsonl")) {
    if (wrong.encode(record["text"].get<std::string>()) != record["ids"].get<std::vector<TokenId>>()) ++different;
  }
  CHECK(different > kTexts / 2);
}

TEST_CASE("vocabulary size, pieces and special tokens are those of the file") {
  const Tokenizer tales = load("tiny");
  CHECK(tales.vocabulary() == 2048);
  CHECK(tales.pieces() == 2048);
  CHECK(tales.find("<|endoftext|>") == TokenId(0));
  CHECK(tales.find("\u0120the").has_value());
  CHECK_FALSE(tales.find("<|im_end|>").has_value());

  const Tokenizer llama3 = load("llama3");  // five added tokens outside the model's vocabulary of 1000
  CHECK(llama3.vocabulary() == 1005);
  CHECK(llama3.pieces() == 1005);
  CHECK(llama3.find("<|eot_id|>") == TokenId(1004));
}
