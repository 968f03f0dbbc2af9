#include "stages/core/tokenizer/tokenizer.h"

#include "kernels/check.h"
#include "stages/core/json_fields.h"
#include "stages/core/tokenizer/added_tokens.h"
#include "stages/core/tokenizer/bpe.h"
#include "stages/core/tokenizer/decoder.h"
#include "stages/core/tokenizer/normalizer.h"
#include "stages/core/tokenizer/part.h"
#include "stages/core/tokenizer/post_processor.h"
#include "stages/core/tokenizer/pre_tokenizer.h"
#include "stages/core/tokenizer/utf8.h"
#include "stages/core/tokenizer/words.h"

namespace stagecraft {

using namespace tokenizer;

/// What a tokenizer.json consists of, in the order of a text's way through it.
struct Tokenizer::Parts {
  explicit Parts(const JsonField& document)
      : normalizer(document.find("normalizer")),
        pre_tokenizer(document.find("pre_tokenizer")),
        bpe(document.at("model")),
        added(document, bpe.vocabulary(), normalizer),
        post_processor(document.find("post_processor"), vocabulary()),
        decoder(document.at("decoder")) {
    // They would cut or fill up the ids of every text.
    refuse_if_set(document, "truncation");
    refuse_if_set(document, "padding");
  }

  int64_t vocabulary() const { return std::max(bpe.vocabulary().size(), added.largest_id() + 1); }

  void encode_stretch(std::string_view text, bool at_start, std::vector<TokenId>& ids, BpeScratch& scratch) const;
  const std::string* piece(TokenId id, SpecialTokens special) const;

  Normalizer normalizer;
  PreTokenizer pre_tokenizer;
  Bpe bpe;
  AddedTokens added;
  PostProcessor post_processor;
  Decoder decoder;
};

Tokenizer Tokenizer::load(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "tokenizer.json";
  return parse(read_text_file(file), file.string());
}

Tokenizer Tokenizer::parse(std::string_view json, const std::string& name) {
  const nlohmann::json document = parse_json(json, name);
  try {
    return Tokenizer(std::make_unique<Parts>(JsonField(document, name)));
  } catch (const BadInput& error) {
    if (!error.hint().empty()) throw;
    throw BadInput(error.what(), "tokenizer.json is damaged or was edited; fetch it again with the model");
  }
}

Tokenizer::Tokenizer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

int64_t Tokenizer::vocabulary() const { return parts_->vocabulary(); }

int64_t Tokenizer::pieces() const { return parts_->bpe.vocabulary().pieces() + parts_->added.outside_vocabulary(); }

std::optional<TokenId> Tokenizer::find(std::string_view token) const {
  if (const AddedToken* added = parts_->added.find(token)) return added->id;
  return parts_->bpe.vocabulary().find(token);
}

std::vector<TokenId> Tokenizer::encode(std::string_view text, SpecialTokens special) const {
  if (const size_t broken = first_broken_byte(text); broken != text.npos) {
    throw BadInput(fmt::format("text is not UTF-8: byte 0x{:02X} at offset {} is not part of a character",
                               uint8_t(text[broken]), broken),
                   "convert it, for example with: iconv -f latin1 -t utf-8");
  }
  std::vector<TokenId> ids;
  BpeScratch scratch;
  if (special == SpecialTokens::keep) ids = parts_->post_processor.prefix();
  for (const Section& section : parts_->added.split(text, /*normalized=*/false)) {
    if (section.token != nullptr) {
      ids.push_back(section.token->id);
    } else {
      parts_->encode_stretch(section.text, section.text.data() == text.data(), ids, scratch);
    }
  }
  if (special == SpecialTokens::keep) {
    const std::vector<TokenId>& suffix = parts_->post_processor.suffix();
    ids.insert(ids.end(), suffix.begin(), suffix.end());
  }
  return ids;
}

/// Encodes what stands between two added tokens; `at_start`: before the first.
void Tokenizer::Parts::encode_stretch(std::string_view text, bool at_start, std::vector<TokenId>& ids,
                                      BpeScratch& scratch) const {
  const std::string normalized = normalizer.apply(text);
  for (const Section& section : added.split(normalized, /*normalized=*/true)) {
    if (section.token != nullptr) {
      ids.push_back(section.token->id);
      continue;
    }
    Words words(std::string(section.text), at_start && section.text.data() == normalized.data());
    pre_tokenizer.apply(words);
    for (size_t i = 0; i < words.size(); ++i) bpe.encode(words.word(i), ids, scratch);
  }
}

/// Text of `id` as the decoder takes it; null where it is to be skipped.
const std::string* Tokenizer::Parts::piece(TokenId id, SpecialTokens special) const {
  if (const AddedToken* token = added.find(id)) {
    return token->special && special == SpecialTokens::skip ? nullptr : &token->text;
  }
  const std::string* piece = bpe.vocabulary().piece(id);
  if (piece == nullptr) {
    throw BadInput(fmt::format("token id {} stands for nothing in this tokenizer", id),
                   fmt::format("its ids go from 0 to {}", vocabulary() - 1));
  }
  return piece;
}

std::string Tokenizer::decode(const std::vector<TokenId>& ids, SpecialTokens special) const {
  StreamingDecoder decoder(*this, special);
  std::string text;
  for (const TokenId id : ids) text += decoder.push(id);
  return text + decoder.finish();
}

struct StreamingDecoder::State {
  const Tokenizer::Parts* parts;
  SpecialTokens special;
  DecodeStream stream;
};

StreamingDecoder::StreamingDecoder(const Tokenizer& tokenizer, SpecialTokens special)
    : state_(new State{tokenizer.parts_.get(), special, DecodeStream(tokenizer.parts_->decoder)}) {}
StreamingDecoder::StreamingDecoder(StreamingDecoder&&) noexcept = default;
StreamingDecoder& StreamingDecoder::operator=(StreamingDecoder&&) noexcept = default;
StreamingDecoder::~StreamingDecoder() = default;

std::string StreamingDecoder::push(TokenId id) {
  const std::string* piece = state_->parts->piece(id, state_->special);
  return piece == nullptr ? std::string() : state_->stream.push(*piece);
}

std::string StreamingDecoder::finish() { return state_->stream.finish(); }

}  // namespace stagecraft
