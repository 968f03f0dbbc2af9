/// @file
/// Draft models of another tokenizer are refused, with the first difference by name.
#include "stages/6_speculative_decoding/same_tokenizer.h"

#include "stages/core/json_fields.h"
#include "tests/catch.h"
#include "tests/speculation/requests.h"

namespace stagecraft {
namespace {

using nlohmann::json;
using testing::complaint_of;

const char* const kTarget = STAGECRAFT_SOURCE_DIR "/models/tales-5m";
const char* const kDraft = STAGECRAFT_SOURCE_DIR "/models/tales-400k";

json tales() { return read_json_file(std::string(kTarget) + "/tokenizer.json"); }

/// What is said about a draft whose tokenizer.json is `draft`; the target's is that of tales-5m.
std::string complaint_about(const json& draft) {
  return complaint_of([&] { check_same_tokenizer(tales().dump(), "target.json", draft.dump(), "draft.json"); });
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("target and draft model of the same family are taken", "[tokenizer]") {
  CHECK(complaint_of([] { check_same_tokenizer(kTarget, kDraft); }).empty());
}

TEST_CASE("another spelling of the same tokenizer is taken", "[tokenizer]") {
  json draft = tales();
  for (json& merge : draft["model"]["merges"]) merge = merge[0].get<std::string>() + " " + merge[1].get<std::string>();
  draft.erase("normalizer");        // absent and null are the same
  draft["decoder"]["trim"] = true;  // how ids become text is the target's business
  CHECK(draft != tales());
  CHECK(complaint_about(draft).empty());
}

TEST_CASE("a piece that has another id", "[tokenizer]") {
  json draft = tales();
  std::swap(draft["model"]["vocab"]["!"], draft["model"]["vocab"]["$"]);
  CHECK(
      complaint_about(draft) ==
      "draft model and target have different tokenizers: 2048 and 2048 tokens; id 1 is \"!\" in target.json and \"$\" "
      "in draft.json | choose a smaller model of the target's family, or n-gram drafts, which need no model");
}

TEST_CASE("a vocabulary of another size", "[tokenizer]") {
  json larger = tales();
  larger["model"]["vocab"]["a new piece"] = 2048;
  CHECK(contains(complaint_about(larger),
                 "2048 and 2049 tokens; id 2048 is nothing in target.json and \"a new piece\" in draft.json"));
  json smaller = tales();
  smaller["model"]["vocab"].erase("!");
  CHECK(contains(complaint_about(smaller), "id 1 is \"!\" in target.json and nothing in draft.json"));
}

TEST_CASE("an added token of another text, and one that is looked for in another way", "[tokenizer]") {
  json draft = tales();
  draft["added_tokens"][0]["content"] = "<eos>";
  CHECK(contains(complaint_about(draft), "id 0 is \"<|endoftext|>\" in target.json and \"<eos>\" in draft.json"));
  draft = tales();
  draft["added_tokens"][0]["lstrip"] = true;
  CHECK(contains(complaint_about(draft), "\"added_tokens\" of target.json and draft.json"));
}

TEST_CASE("other merges, normalizer or pre-tokenizer", "[tokenizer]") {
  json draft = tales();
  std::swap(draft["model"]["merges"][4], draft["model"]["merges"][5]);
  CHECK(contains(complaint_about(draft), "merge 4 is "));
  draft = tales();
  draft["model"]["merges"].erase(draft["model"]["merges"].size() - 1);
  CHECK(contains(complaint_about(draft), "merges, draft.json has"));
  draft = tales();
  draft["normalizer"] = {{"type", "NFC"}};
  CHECK(contains(complaint_about(draft), "\"normalizer\" of"));
  draft = tales();
  draft["pre_tokenizer"]["add_prefix_space"] = true;
  CHECK(contains(complaint_about(draft), "\"pre_tokenizer\" of"));
}

TEST_CASE("folders without a tokenizer, and files that are none", "[tokenizer]") {
  CHECK(contains(complaint_of([] { check_same_tokenizer(kTarget, STAGECRAFT_SOURCE_DIR "/models"); }), "cannot read"));
  CHECK(contains(complaint_of([] { check_same_tokenizer("{}", "a", "[1]", "b"); }), "field \"model\" is missing"));
}

}  // namespace
}  // namespace stagecraft
