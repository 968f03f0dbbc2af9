#include "stages/core/tokenizer/post_processor.h"

#include "stages/core/tokenizer/part.h"

namespace stagecraft::tokenizer {
namespace {

/// The ids of the special token that the template calls `name`.
std::vector<TokenId> special_ids(const JsonField& part, const std::string& name, int64_t vocabulary) {
  const JsonField list = part.at("special_tokens").at(name).at("ids");
  std::vector<TokenId> ids;
  for (size_t i = 0; i < list.array().size(); ++i) ids.push_back(TokenId(list.at(i).integer(0, vocabulary - 1)));
  return ids;
}

}  // namespace

PostProcessor::PostProcessor(const std::optional<JsonField>& part, int64_t vocabulary) {
  if (part) add(*part, vocabulary);
}

void PostProcessor::add(const JsonField& part, int64_t vocabulary) {
  const std::string type = type_of(part, {"TemplateProcessing", "ByteLevel", "Sequence"});
  if (type == "TemplateProcessing") {
    add_template(part, vocabulary);
  } else if (type == "Sequence") {
    const JsonField list = part.at("processors");
    for (size_t i = 0; i < list.array().size(); ++i) add(list.at(i), vocabulary);
  }
}

/// "single" is a list of special tokens with the text, called sequence A, once among them. A later template wraps what
/// an earlier one made.
void PostProcessor::add_template(const JsonField& part, int64_t vocabulary) {
  const JsonField single = part.at("single");
  std::vector<TokenId> before, behind;
  bool seen_text = false;
  for (size_t i = 0; i < single.array().size(); ++i) {
    const JsonField item = single.at(i);
    if (const auto special = item.find("SpecialToken")) {
      const auto ids = special_ids(part, special->at("id").text(), vocabulary);
      std::vector<TokenId>& side = seen_text ? behind : before;
      side.insert(side.end(), ids.begin(), ids.end());
    } else {
      const JsonField sequence = item.at("Sequence").at("id");
      if (sequence.text() != "A" || seen_text) sequence.fail("must be \"A\", once", kUnsupportedHint);
      seen_text = true;
    }
  }
  if (!seen_text) single.fail("must contain sequence A", kUnsupportedHint);
  prefix_.insert(prefix_.begin(), before.begin(), before.end());
  suffix_.insert(suffix_.end(), behind.begin(), behind.end());
}

}  // namespace stagecraft::tokenizer
