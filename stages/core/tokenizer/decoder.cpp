#include "stages/core/tokenizer/decoder.h"

#include <charconv>
#include <utility>

#include "stages/core/tokenizer/byte_alphabet.h"
#include "stages/core/tokenizer/part.h"
#include "stages/core/tokenizer/utf8.h"

namespace stagecraft::tokenizer {

Decoder::Decoder(const JsonField& part) { add(part); }

void Decoder::add(const JsonField& part) {
  const std::string type =
      type_of(part, {"ByteLevel", "ByteFallback", "Fuse", "Replace", "Strip", "Metaspace", "Sequence"});
  const bool works_on_pieces = type != "Strip" && type != "Fuse" && type != "Sequence";
  if (works_on_pieces && fused_) part.at("type").fail("must stand before Fuse and ByteLevel", kUnsupportedHint);

  if (type == "ByteLevel") {
    steps_.emplace_back(ByteLevel{});
    fused_ = true;
  } else if (type == "ByteFallback") {
    steps_.emplace_back(ByteFallback{});
  } else if (type == "Fuse") {
    fused_ = true;
  } else if (type == "Replace") {
    steps_.emplace_back(Replace{Pattern(part.at("pattern")), part.at("content").text()});
  } else if (type == "Strip") {
    steps_.emplace_back(parse_strip(part));
  } else if (type == "Metaspace") {
    steps_.emplace_back(Metaspace{Pattern::fixed(parse_replacement(part)), parse_prepend_scheme(part)});
  } else {
    const JsonField list = part.at("decoders");
    for (size_t i = 0; i < list.array().size(); ++i) add(list.at(i));
  }
}

Decoder::Strip Decoder::parse_strip(const JsonField& part) const {
  const JsonField content = part.at("content");
  if (content.text().empty() || character_bytes(content.text(), 0) != content.text().size()) {
    content.fail("must be one character");
  }
  refuse_if_set(part, "stop");
  const auto start = part.find("start");
  return {content.text(), start ? start->integer(0) : 0, fused_};
}

DecodeStream::DecodeStream(const Decoder& decoder) : decoder_(&decoder), memory_(decoder.steps_.size()) {}

std::string DecodeStream::push(std::string_view piece) {
  feed(0, std::string(piece));
  return std::exchange(text_, {});
}

std::string DecodeStream::finish() {
  for (size_t step = 0; step < memory_.size(); ++step) flush(step);
  return std::exchange(text_, {});
}

void DecodeStream::feed(size_t step, std::string piece) {
  if (step == memory_.size()) {
    text_ += piece;
  } else {
    std::visit([&](const auto& kind) { take(kind, step, std::move(piece)); }, decoder_->steps_[step]);
  }
}

/// A piece that is not written in the byte alphabet, such as an added token, stands for itself.
void DecodeStream::take(const Decoder::ByteLevel&, size_t step, std::string piece) {
  std::string& bytes = memory_[step].bytes;
  bytes += bytes_of(piece).value_or(piece);
  std::string characters;
  move_characters(bytes, characters, /*at_end=*/false);
  feed(step + 1, std::move(characters));
}

namespace {

/// The byte of a piece such as <0x0A>.
std::optional<char> fallback_byte(std::string_view piece) {
  constexpr std::string_view kExample = "<0x0A>";
  if (piece.size() != kExample.size() || piece.substr(0, 3) != "<0x" || piece.back() != '>') return std::nullopt;
  unsigned byte = 0;
  const char* end = piece.data() + 5;
  if (std::from_chars(piece.data() + 3, end, byte, 16).ptr != end) return std::nullopt;
  return char(byte);
}

}  // namespace

void DecodeStream::take(const Decoder::ByteFallback&, size_t step, std::string piece) {
  if (const auto byte = fallback_byte(piece)) {
    memory_[step].bytes += *byte;
    return;
  }
  flush_bytes(step);
  feed(step + 1, std::move(piece));
}

/// Ends a run of byte pieces: text if all of it is UTF-8, else a U+FFFD for each byte, as the reference implementation
/// does.
void DecodeStream::flush_bytes(size_t step) {
  std::string run = std::exchange(memory_[step].bytes, {});
  if (run.empty()) return;
  if (first_broken_byte(run) == run.npos) {
    feed(step + 1, std::move(run));
  } else {
    for (size_t i = 0; i < run.size(); ++i) feed(step + 1, std::string(kReplacementCharacter));
  }
}

void DecodeStream::take(const Decoder::Replace& replace, size_t step, std::string piece) {
  PatternSearch search(replace.pattern);
  feed(step + 1, replace_all(piece, search.find_all(piece), replace.content));
}

void DecodeStream::take(const Decoder::Strip& strip, size_t step, std::string piece) {
  Memory& memory = memory_[step];
  if (!strip.fused) memory = Memory{};
  size_t at = 0;
  while (memory.beginning && at < piece.size()) {
    memory.beginning = memory.stripped < strip.start && piece.compare(at, strip.content.size(), strip.content) == 0;
    if (!memory.beginning) break;
    ++memory.stripped;
    at += strip.content.size();
  }
  feed(step + 1, piece.substr(at));
}

/// The first piece loses its replacements, for it is where the pre-tokenizer put one; in the others they are spaces.
void DecodeStream::take(const Decoder::Metaspace& metaspace, size_t step, std::string piece) {
  const bool first = std::exchange(memory_[step].beginning, false);
  const bool drop = first && metaspace.scheme != PrependScheme::never;
  PatternSearch search(metaspace.pattern);
  feed(step + 1, replace_all(piece, search.find_all(piece), drop ? "" : " "));
}

void DecodeStream::flush(size_t step) {
  const Decoder::Step& kind = decoder_->steps_[step];
  if (std::holds_alternative<Decoder::ByteFallback>(kind)) flush_bytes(step);
  if (std::holds_alternative<Decoder::ByteLevel>(kind)) {
    std::string characters;
    move_characters(memory_[step].bytes, characters, /*at_end=*/true);
    feed(step + 1, std::move(characters));
  }
}

}  // namespace stagecraft::tokenizer
