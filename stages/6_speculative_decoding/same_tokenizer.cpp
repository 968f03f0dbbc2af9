/// @file
/// Field by field; files that are equal byte by byte need no reading.
#include "stages/6_speculative_decoding/same_tokenizer.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/json_fields.h"
#include "stages/core/tokenizer/part.h"

namespace stagecraft {
namespace {

using tokenizer::in_quotes;

[[noreturn]] void refuse(const std::string& difference) {
  throw BadInput("draft model and target have different tokenizers: " + difference,
                 "choose a smaller model of the target's family, or n-gram drafts, which need no model");
}

/// The text of each id: pieces and added tokens.
std::map<int64_t, std::string> texts_by_id(const JsonField& file) {
  std::map<int64_t, std::string> texts;
  const JsonField pieces = file.at("model").at("vocab");
  for (const auto& [piece, id] : pieces.object().items()) texts[pieces.at(piece).integer(0)] = piece;
  const auto added = file.find("added_tokens");
  for (size_t i = 0; added && i < added->array().size(); ++i) {
    const JsonField token = added->at(i);
    texts[token.at("id").integer(0)] = token.at("content").text();
  }
  return texts;
}

void check_texts(const JsonField& target, const JsonField& draft) {
  const auto of_target = texts_by_id(target), of_draft = texts_by_id(draft);
  const auto [a, b] = std::mismatch(of_target.begin(), of_target.end(), of_draft.begin(), of_draft.end());
  if (a == of_target.end() && b == of_draft.end()) return;
  const auto meaning = [](const auto& texts, int64_t id) {
    const auto found = texts.find(id);
    return found == texts.end() ? std::string("nothing") : in_quotes(found->second);
  };
  const int64_t id = a == of_target.end() ? b->first : b == of_draft.end() ? a->first : std::min(a->first, b->first);
  refuse(fmt::format("{} and {} tokens; id {} is {} in {} and {} in {}", of_target.size(), of_draft.size(), id,
                     meaning(of_target, id), target.file(), meaning(of_draft, id), draft.file()));
}

/// "left right" and ["left", "right"] are two spellings of a merge.
std::string merge_text(const JsonField& merge) {
  return merge.value().is_string() ? merge.text() : merge.at(0).text() + " " + merge.at(1).text();
}

void check_merges(const JsonField& target, const JsonField& draft) {
  const JsonField a = target.at("model").at("merges"), b = draft.at("model").at("merges");
  const size_t shorter = std::min(a.array().size(), b.array().size());
  for (size_t i = 0; i < shorter; ++i) {
    if (merge_text(a.at(i)) == merge_text(b.at(i))) continue;
    refuse(fmt::format("merge {} is {} in {} and {} in {}", i, in_quotes(merge_text(a.at(i))), target.file(),
                       in_quotes(merge_text(b.at(i))), draft.file()));
  }
  if (a.array().size() != b.array().size()) {
    refuse(fmt::format("{} has {} merges, {} has {}", target.file(), a.array().size(), draft.file(), b.array().size()));
  }
}

/// How special tokens are looked for; their texts have been compared.
nlohmann::json added_tokens(const JsonField& file) {
  const auto added = file.find("added_tokens");
  nlohmann::json tokens = added ? added->array() : nlohmann::json::array();
  std::sort(tokens.begin(), tokens.end());
  return tokens;
}

void check_parts(const JsonField& target, const JsonField& draft) {
  if (added_tokens(target) != added_tokens(draft)) {
    refuse(fmt::format("\"added_tokens\" of {} and {}", target.file(), draft.file()));
  }
  for (const char* part : {"normalizer", "pre_tokenizer"}) {
    const auto a = target.find(part), b = draft.find(part);
    if (a ? b && a->value() == b->value() : !b) continue;
    refuse(fmt::format("\"{}\" of {} and {}", part, target.file(), draft.file()));
  }
}

}  // namespace

void check_same_tokenizer(const std::filesystem::path& target, const std::filesystem::path& draft) {
  const std::filesystem::path target_file = target / "tokenizer.json", draft_file = draft / "tokenizer.json";
  check_same_tokenizer(read_text_file(target_file), target_file.string(), read_text_file(draft_file),
                       draft_file.string());
}

void check_same_tokenizer(std::string_view target_json, const std::string& target_name, std::string_view draft_json,
                          const std::string& draft_name) {
  if (target_json == draft_json) return;
  const nlohmann::json target_document = parse_json(target_json, target_name);
  const nlohmann::json draft_document = parse_json(draft_json, draft_name);
  const JsonField target(target_document, target_name), draft(draft_document, draft_name);
  check_texts(target, draft);
  check_merges(target, draft);
  check_parts(target, draft);
}

}  // namespace stagecraft
