#include "stages/core/tokenizer/normalizer.h"

#include "stages/core/tokenizer/nfc.h"
#include "stages/core/tokenizer/part.h"

namespace stagecraft::tokenizer {
namespace {

// A file of a few lines can double the text sixty times over. Real normalizers add one character or triple it at most.
constexpr size_t kGrowthForAnyText = 64 * 1024;
constexpr size_t kLargestGrowth = 16;

void require_size(size_t size, size_t largest) {
  if (size <= largest) return;
  throw BadInput(fmt::format("tokenizer.json: field \"normalizer\" makes the text longer than {} bytes", largest),
                 "its Prepend or Replace adds more than any known tokenizer does");
}

}  // namespace

Normalizer::Normalizer(const std::optional<JsonField>& part) {
  if (part) add(*part);
}

void Normalizer::add(const JsonField& part) {
  const std::string type = type_of(part, {"NFC", "Prepend", "Replace", "Sequence"});
  if (type == "NFC") {
    steps_.emplace_back(Nfc{});
  } else if (type == "Prepend") {
    steps_.emplace_back(Prepend{part.at("prepend").text()});
  } else if (type == "Replace") {
    steps_.emplace_back(Replace{Pattern(part.at("pattern")), part.at("content").text()});
  } else {
    const JsonField list = part.at("normalizers");
    for (size_t i = 0; i < list.array().size(); ++i) add(list.at(i));
  }
}

std::string Normalizer::apply(std::string_view text) const {
  const size_t largest = kGrowthForAnyText + kLargestGrowth * text.size();
  std::string normalized(text);
  for (const Step& step : steps_) normalized = apply(step, std::move(normalized), largest);
  return normalized;
}

std::string Normalizer::apply(const Step& step, std::string text, size_t largest) {
  if (std::holds_alternative<Nfc>(step)) return nfc(text);
  if (const auto* prepend = std::get_if<Prepend>(&step)) {
    if (text.empty()) return text;
    require_size(text.size() + prepend->text.size(), largest);
    return prepend->text + text;
  }
  const auto& replace = std::get<Replace>(step);
  PatternSearch search(replace.pattern);
  const std::vector<Range>& matches = search.find_all(text);
  require_size(text.size() + matches.size() * replace.content.size(), largest);
  return replace_all(text, matches, replace.content);
}

}  // namespace stagecraft::tokenizer
