/// @file
/// A tokenizer.json that is damaged, or asks for what is not there, is refused by field and value; so are text and ids that
/// cannot be right.
#include "tests/loader/refusal.h"

#include <functional>
#include <string>

#include "tests/catch.h"
#include "tests/tokenizer/small_tokenizer.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

/// The small document with `change` made to it must be refused, naming all of `parts`.
void refuse(const std::function<void(nlohmann::json&)>& change, std::initializer_list<std::string_view> parts) {
  nlohmann::json document = small_document();
  REQUIRE_NOTHROW(parse(document));
  change(document);
  INFO(document.dump());
  require_refusal([&] { parse(document); }, parts);
}

void refuse_part(const std::string& field, const nlohmann::json& part, std::initializer_list<std::string_view> parts) {
  refuse([&](nlohmann::json& document) { document[field] = part; }, parts);
}

void refuse_model(const std::string& field, const nlohmann::json& value,
                  std::initializer_list<std::string_view> parts) {
  refuse([&](nlohmann::json& document) { document["model"][field] = value; }, parts);
}

nlohmann::json split_at(const std::string& pattern) {
  return {{"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}};
}

}  // namespace

TEST_CASE("a file that is missing, no JSON, or nested without end is refused") {
  require_refusal([] { Tokenizer::load("/no/such/folder"); }, {"/no/such/folder/tokenizer.json"});
  require_refusal([] { Tokenizer::parse("{\"model\":", "t.json"); }, {"t.json", "broken JSON"});
  require_refusal([] { Tokenizer::parse("", "t.json"); }, {"t.json"});
  require_refusal([] { Tokenizer::parse("[]", "t.json"); }, {"t.json", "must be an object"});
  require_refusal([] { Tokenizer::parse(std::string(100'000, '['), "t.json"); }, {"t.json", "nested"});
  require_refusal([] { Tokenizer::parse("{}", "t.json"); }, {"t.json", "\"model\" is missing"});
}

TEST_CASE("parts that are not there are refused by name") {
  for (const char* type : {"Unigram", "WordPiece", "WordLevel"}) refuse_model("type", type, {"model.type", type});
  for (const char* type : {"NFKC", "Lowercase", "BertNormalizer", "Precompiled"}) {
    refuse_part("normalizer", {{"type", type}}, {"normalizer.type", type});
  }
  for (const char* type : {"Whitespace", "BertPreTokenizer", "Punctuation"}) {
    refuse_part("pre_tokenizer", {{"type", type}}, {"pre_tokenizer.type", type});
  }
  for (const char* type : {"BertProcessing", "RobertaProcessing"}) {
    refuse_part("post_processor", {{"type", type}}, {"post_processor.type", type});
  }
  for (const char* type : {"WordPiece", "CTC", "BPEDecoder"})
    refuse_part("decoder", {{"type", type}}, {"decoder.type", type});
  refuse_part("decoder", nullptr, {"decoder"});
}

TEST_CASE("a part inside a Sequence is named by its place") {
  refuse_part("normalizer", {{"type", "Sequence"}, {"normalizers", {{{"type", "NFC"}}, {{"type", "NFKD"}}}}},
              {"normalizer.normalizers[1].type", "NFKD"});
}

TEST_CASE("options that are not there are refused by name, but not where they are off") {
  refuse_model("dropout", 0.1, {"model.dropout", "0.1"});
  refuse_model("continuing_subword_prefix", "##", {"model.continuing_subword_prefix", "##"});
  refuse_model("end_of_word_suffix", "</w>", {"model.end_of_word_suffix", "</w>"});
  refuse_part("truncation", {{"max_length", 8}}, {"truncation"});
  refuse_part("padding", {{"strategy", "BatchLongest"}}, {"padding"});
  refuse_part("decoder", {{"type", "Strip"}, {"content", " "}, {"start", 0}, {"stop", 1}}, {"decoder.stop", "1"});

  nlohmann::json document = small_document();
  document["model"].update({{"dropout", 0.0}, {"continuing_subword_prefix", ""}, {"end_of_word_suffix", nullptr}});
  document.update({{"truncation", nullptr}, {"padding", nullptr}, {"post_processor", nullptr}});
  CHECK_NOTHROW(parse(document));
}

TEST_CASE("ids that are negative, huge, fractional, used twice or no numbers are refused") {
  for (const nlohmann::json& id : {nlohmann::json(-1), nlohmann::json(int64_t(1) << 31), nlohmann::json(999'999'999),
                                   nlohmann::json(18446744073709551615u), nlohmann::json(1.5), nlohmann::json("1")}) {
    refuse([&](nlohmann::json& d) { d["model"]["vocab"]["new"] = id; }, {"model.vocab.new", id.dump()});
    refuse_part("added_tokens", nlohmann::json::array({{{"id", id}, {"content", "<s>"}}}),
                {"added_tokens[0].id", id.dump()});
  }
  refuse([](nlohmann::json& d) { d["model"]["vocab"]["new"] = 0; }, {"model.vocab", "id of its own"});
  refuse_model("vocab", nlohmann::json::object(), {"model.vocab", "at least one piece"});
  refuse_model("vocab", nlohmann::json::array(), {"model.vocab", "must be an object"});
}

TEST_CASE("an added token has an id of its own, or that of the vocabulary") {
  refuse_part("added_tokens", nlohmann::json::array({added_token(0, "<s>")}), {"added_tokens[0].id", "another piece"});
  refuse_part("added_tokens", nlohmann::json::array({added_token(9, "ab")}), {"added_tokens[0].id", "must be 5"});
  refuse_part("added_tokens", {added_token(9, "<s>"), added_token(9, "</s>")}, {"added_tokens[1].id", "twice"});
  refuse_part("added_tokens", {added_token(9, "<s>"), added_token(10, "<s>")}, {"added_tokens[1].content", "twice"});
  refuse_part("added_tokens", nlohmann::json::array({added_token(9, "")}), {"added_tokens[0].content", "empty"});
  refuse_part("added_tokens", nlohmann::json::array({{{"id", 9}}}), {"added_tokens[0].content", "missing"});
}

TEST_CASE("merges that are no pairs or name unknown pieces are refused by their rank") {
  refuse_model("merges", {"a b", "ab x"}, {"model.merges[1]", "\"x\""});
  refuse_model("merges", {"a b", "b c"}, {"model.merges[1]", "\"bc\""});  // both known, but not what they make
  for (const nlohmann::json& merge :
       {nlohmann::json("ab"), nlohmann::json("a b c"), nlohmann::json(" b"), nlohmann::json::array({"a"}),
        nlohmann::json({"a", "b", "c"}), nlohmann::json({"a", 1}), nlohmann::json(7), nlohmann::json(nullptr)}) {
    refuse_model("merges", nlohmann::json::array({merge}), {"model.merges[0]"});
  }
  refuse_model("merges", "a b", {"model.merges", "must be an array"});
  refuse_model("unk_token", "<unk>", {"model.unk_token", "<unk>"});
  refuse_model("byte_fallback", "yes", {"model.byte_fallback", "true or false"});
}

TEST_CASE("a post-processor's template has the text once and known ids") {
  const auto with_template = [](const nlohmann::json& single, const nlohmann::json& ids) -> nlohmann::json {
    return {{"type", "TemplateProcessing"}, {"single", single}, {"special_tokens", {{"<s>", {{"ids", ids}}}}}};
  };
  const nlohmann::json bos = {{"SpecialToken", {{"id", "<s>"}}}}, text = {{"Sequence", {{"id", "A"}}}};
  refuse_part("post_processor", with_template({bos, text}, nlohmann::json::array({7})),
              {"special_tokens.<s>.ids[0]", "7"});
  refuse_part("post_processor", with_template(nlohmann::json::array({bos}), nlohmann::json::array({0})),
              {"post_processor.single", "sequence A"});
  refuse_part("post_processor", with_template({text, text}, nlohmann::json::array({0})),
              {"post_processor.single[1]", "once"});
}

TEST_CASE("patterns that are broken, or that regular expression libraries read differently, are refused") {
  for (const char* pattern : {"(", "[a", "a{2,1}", "\\p{Nonsense}"}) {
    refuse_part("pre_tokenizer", split_at(pattern), {"pre_tokenizer.pattern.Regex", "regular expression"});
  }
  for (const char* pattern : {"\\p{N}{1,3}+", "[a[b]]", "[a&&b]", "\\h", "\\bx", "(?m)a", "(?s:.)", "(*UTF)a",
                              "[[:alpha:]]", "(?<n>a)", "(?R)", "(a)\\1", "\\Qa", "[^\\W]", "[]a]", "a\\"}) {
    refuse_part("pre_tokenizer", split_at(pattern), {"pre_tokenizer.pattern.Regex", "must do without"});
  }
  refuse_part("pre_tokenizer", {{"type", "Split"}, {"pattern", {{"String", ""}}}, {"behavior", "Isolated"}},
              {"String", "empty"});
  refuse_part("pre_tokenizer", {{"type", "Split"}, {"pattern", "a"}, {"behavior", "Isolated"}},
              {"pre_tokenizer.pattern"});
  refuse_part("pre_tokenizer", {{"type", "Split"}, {"pattern", {{"String", "a"}}}, {"behavior", "Odd"}},
              {"behavior", "Odd"});
}

TEST_CASE("a pattern that takes exponential time is stopped") {
  nlohmann::json document = small_document();
  document["pre_tokenizer"] = split_at("(?:a+)+c");
  const Tokenizer tokenizer = parse(document);
  CHECK_NOTHROW(tokenizer.encode(std::string(8, 'a') + "b c"));
  require_refusal([&] { tokenizer.encode(std::string(64, 'a') + "b c"); }, {"takes too long", "(?:a+)+c"});
}

TEST_CASE("a pattern that takes quadratic time is stopped, but not a long run of what real patterns match") {
  nlohmann::json document = small_document();
  document["pre_tokenizer"] = split_at("a+(?=x)");
  require_refusal([&] { parse(document).encode(std::string(100'000, 'a') + "b x"); }, {"takes too long"});
  document["pre_tokenizer"] = split_at("\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+");
  CHECK(parse(document).encode(std::string(1'000'000, ' ') + "a").size() == 1'000'001);
}

TEST_CASE("a normalizer that blows the text up is stopped") {
  const nlohmann::json doubling = {{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", "aa"}};
  nlohmann::json document = small_document();
  document["normalizer"] = {{"type", "Sequence"}, {"normalizers", std::vector<nlohmann::json>(60, doubling)}};
  const Tokenizer tokenizer = parse(document);
  require_refusal([&] { tokenizer.encode("a"); }, {"normalizer"});
}

TEST_CASE("text that is not UTF-8 is refused by the offset of its first bad byte") {
  const Tokenizer tokenizer = parse(small_document());
  require_refusal([&] { tokenizer.encode("abc\xFF"); }, {"not UTF-8", "0xFF", "offset 3"});
  require_refusal([&] { tokenizer.encode("a\xE4\xB8"); }, {"not UTF-8", "offset 1"});
  require_refusal([&] { tokenizer.encode("\xED\xA0\x80"); }, {"not UTF-8", "offset 0"});
}

TEST_CASE("ids outside the vocabulary, or in a gap of it, are refused") {
  nlohmann::json document = small_document();
  document["model"]["vocab"]["far"] = 20;
  const Tokenizer tokenizer = parse(document);
  CHECK(tokenizer.vocabulary() == 21);
  CHECK(tokenizer.pieces() == 8);
  CHECK(tokenizer.decode({20}) == "far");
  for (const TokenId id : {-1, 7, 19, 21, 2'000'000'000}) {
    require_refusal([&] { tokenizer.decode({id}); }, {std::to_string(id)});
    StreamingDecoder decoder(tokenizer);
    require_refusal([&] { decoder.push(id); }, {std::to_string(id)});
  }
}
