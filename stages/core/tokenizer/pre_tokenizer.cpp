#include "stages/core/tokenizer/pre_tokenizer.h"

#include <algorithm>

#include "stages/core/tokenizer/byte_alphabet.h"
#include "stages/core/tokenizer/part.h"
#include "stages/core/tokenizer/utf8.h"

namespace stagecraft::tokenizer {
namespace {

/// Words of GPT-2: contractions, and letters, digits or signs with the space before them; of several spaces the last
/// goes with the next word.
constexpr const char* kGpt2Pattern = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

}  // namespace

PrependScheme parse_prepend_scheme(const JsonField& metaspace) {
  const std::string scheme = metaspace.text_or("prepend_scheme", "always");
  const auto old = metaspace.find("add_prefix_space");  // what files said before there was a scheme
  if (old && !old->boolean() && scheme != "never") old->fail("must agree with \"prepend_scheme\"");
  if (scheme == "never") return PrependScheme::never;
  if (scheme == "first") return PrependScheme::first;
  if (scheme == "always") return PrependScheme::always;
  metaspace.at("prepend_scheme").fail("must be never, first or always", kUnsupportedHint);
}

std::string parse_replacement(const JsonField& metaspace) {
  const JsonField replacement = metaspace.at("replacement");
  const std::string& text = replacement.text();
  if (text.empty() || character_bytes(text, 0) != text.size()) replacement.fail("must be one character");
  return text;
}

PreTokenizer::PreTokenizer(const std::optional<JsonField>& part) {
  if (part) add(*part);
}

void PreTokenizer::add(const JsonField& part) {
  const std::string type = type_of(part, {"ByteLevel", "Split", "Digits", "Metaspace", "Sequence"});
  if (type == "ByteLevel") {
    add_byte_level(part);
  } else if (type == "Split") {
    steps_.emplace_back(Split{Pattern(part.at("pattern")), parse_split_behavior(part.at("behavior")),
                              part.boolean_or("invert", false)});
  } else if (type == "Digits") {
    const bool individually = part.boolean_or("individual_digits", false);
    steps_.emplace_back(Split{Pattern::digits(individually), SplitBehavior::isolated, false});
  } else if (type == "Metaspace") {
    add_metaspace(part);
  } else {
    const JsonField list = part.at("pretokenizers");
    for (size_t i = 0; i < list.array().size(); ++i) add(list.at(i));
  }
}

void PreTokenizer::add_byte_level(const JsonField& part) {
  const bool again = std::any_of(steps_.begin(), steps_.end(),
                                 [](const Step& step) { return std::holds_alternative<ToByteAlphabet>(step); });
  if (again) part.fail("must be the only ByteLevel: a second would write bytes of bytes", kUnsupportedHint);
  if (part.boolean_or("add_prefix_space", true)) steps_.emplace_back(PrefixSpace{});
  if (part.boolean_or("use_regex", true)) {
    steps_.emplace_back(Split{Pattern::regex(kGpt2Pattern, part), SplitBehavior::isolated, false});
  }
  steps_.emplace_back(ToByteAlphabet{});
}

void PreTokenizer::add_metaspace(const JsonField& part) {
  const std::string replacement = parse_replacement(part);
  steps_.emplace_back(Metaspace{replacement, parse_prepend_scheme(part)});
  if (part.boolean_or("split", true)) {
    steps_.emplace_back(Split{Pattern::fixed(replacement), SplitBehavior::merged_with_next, false});
  }
}

void PreTokenizer::apply(Words& words) const {
  for (const Step& step : steps_) std::visit([&](const auto& kind) { apply(kind, words); }, step);
}

void PreTokenizer::apply(const Split& split, Words& words) {
  PatternSearch search(split.pattern);
  words.split([&](std::string_view word) {
    return split_pieces(word.size(), search.find_all(word), split.invert, split.behavior);
  });
}

void PreTokenizer::apply(const PrefixSpace&, Words& words) {
  words.rewrite([](std::string_view word, bool, std::string& out) {
    if (word.front() != ' ') out += ' ';
    out += word;
  });
}

void PreTokenizer::apply(const ToByteAlphabet&, Words& words) {
  words.rewrite([](std::string_view word, bool, std::string& out) {
    for (const char byte : word) out += byte_character(uint8_t(byte));
  });
}

void PreTokenizer::apply(const Metaspace& metaspace, Words& words) {
  words.rewrite([&](std::string_view word, bool starts_text, std::string& out) {
    const bool wanted =
        metaspace.scheme == PrependScheme::always || (metaspace.scheme == PrependScheme::first && starts_text);
    const bool has_it = word.front() == ' ' || word.substr(0, metaspace.replacement.size()) == metaspace.replacement;
    if (wanted && !has_it) out += metaspace.replacement;
    for (const char byte : word) {
      if (byte == ' ') {
        out += metaspace.replacement;
      } else {
        out += byte;
      }
    }
  });
}

}  // namespace stagecraft::tokenizer
