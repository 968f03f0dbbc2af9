#pragma once
/// @file
/// Text to token ids and back, as the model's own tokenizer.json says.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/kernels.h"

namespace stagecraft {

/// What happens to special tokens.
enum class SpecialTokens {
  keep,  // encoding: the post-processor adds its own (BOS); decoding: they are spelled out
  skip,  // encoding: none are added; decoding: none are printed
};

class Tokenizer {
 public:
  /// Reads `folder`/tokenizer.json. Throws BadInput where the file is missing, broken, or asks for a part we do not
  /// have (which is named).
  static Tokenizer load(const std::filesystem::path& folder);
  /// The same from the file's text; `name` stands for it in messages.
  static Tokenizer parse(std::string_view json, const std::string& name);

  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  /// Ids of `text`. Special tokens that stand in the text are recognised. Near-linear in the length of the text.
  /// Throws BadInput if `text` is not UTF-8.
  std::vector<TokenId> encode(std::string_view text, SpecialTokens special = SpecialTokens::keep) const;

  /// Text of `ids`. Bytes that make no character become U+FFFD. Throws BadInput for an id that stands for nothing.
  std::string decode(const std::vector<TokenId>& ids, SpecialTokens special = SpecialTokens::keep) const;

  /// One more than the largest id, added tokens included.
  int64_t vocabulary() const;
  /// How many ids stand for something; less than vocabulary() where the file leaves gaps.
  int64_t pieces() const;
  /// Id of an added token, such as "<|endoftext|>", or of a piece as tokenizer.json spells it; nothing if there is
  /// none.
  std::optional<TokenId> find(std::string_view token) const;

 private:
  friend class StreamingDecoder;
  struct Parts;
  explicit Tokenizer(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

/// Decodes token by token, and holds back what may still become a character: it never emits a torn one. The pieces put
/// together are what Tokenizer::decode gives.
class StreamingDecoder {
 public:
  /// `tokenizer` must outlive this.
  explicit StreamingDecoder(const Tokenizer& tokenizer, SpecialTokens special = SpecialTokens::skip);

  StreamingDecoder(StreamingDecoder&&) noexcept;
  StreamingDecoder& operator=(StreamingDecoder&&) noexcept;
  ~StreamingDecoder();

  /// The text that `id` completes; may be empty. Throws BadInput for an id that stands for nothing.
  std::string push(TokenId id);
  /// What is left when no more ids come; a torn character becomes U+FFFD.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stagecraft
