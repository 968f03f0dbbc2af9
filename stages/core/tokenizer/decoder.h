#pragma once
/// @file
/// Pieces of the vocabulary back to text, one after the other.
///
/// Decoding is a chain of steps as in the reference implementation, but written as a stream: every step takes a piece,
/// keeps what it cannot decide yet and hands on the rest. Decoding a whole list of ids is the same stream, finished at
/// once; so a text that was printed token by token cannot differ from the one that was decoded in one go.
///
/// | step         | keeps back                                                                             |
/// |--------------|----------------------------------------------------------------------------------------|
/// | ByteLevel    | the bytes of a torn character, three at most                                            |
/// | ByteFallback | a run of <0x..> pieces: one byte that fits nowhere makes all of the run U+FFFD           |
/// | others       | nothing                                                                                |
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "stages/core/json_fields.h"
#include "stages/core/tokenizer/pattern.h"
#include "stages/core/tokenizer/pre_tokenizer.h"

namespace stagecraft::tokenizer {

class Decoder {
 public:
  /// `part`: the "decoder" of a tokenizer.json. Known are ByteLevel, ByteFallback, Fuse, Replace, Strip, Metaspace and
  /// Sequence.
  explicit Decoder(const JsonField& part);

 private:
  friend class DecodeStream;
  struct ByteLevel {};
  struct ByteFallback {};
  struct Replace {
    Pattern pattern;
    std::string content;
  };
  struct Strip {
    std::string content;  // one character
    int64_t start;        // as many of them at most are taken from the beginning
    bool fused;           // of the whole text; else of every piece
  };
  struct Metaspace {
    Pattern pattern;  // what it writes for a space
    PrependScheme scheme;
  };
  using Step = std::variant<ByteLevel, ByteFallback, Replace, Strip, Metaspace>;

  void add(const JsonField& part);
  Strip parse_strip(const JsonField& part) const;

  std::vector<Step> steps_;
  bool fused_ = false;  // while reading the file: the steps so far make one piece of all
};

/// One run through a Decoder, which must outlive it.
class DecodeStream {
 public:
  explicit DecodeStream(const Decoder& decoder);

  /// The text that `piece` completes; may be empty, and is always whole characters.
  std::string push(std::string_view piece);
  /// What is left when no more pieces come.
  std::string finish();

 private:
  /// What a step remembers between pieces.
  struct Memory {
    std::string bytes;     // kept back
    int64_t stripped = 0;  // characters taken from the beginning
    bool beginning = true;
  };

  void feed(size_t step, std::string piece);
  void take(const Decoder::ByteLevel&, size_t step, std::string piece);
  void take(const Decoder::ByteFallback&, size_t step, std::string piece);
  void take(const Decoder::Replace& replace, size_t step, std::string piece);
  void take(const Decoder::Strip& strip, size_t step, std::string piece);
  void take(const Decoder::Metaspace& metaspace, size_t step, std::string piece);
  void flush(size_t step);
  void flush_bytes(size_t step);

  const Decoder* decoder_;
  std::vector<Memory> memory_;  // one for each step
  std::string text_;            // decoded, not yet returned
};

}  // namespace stagecraft::tokenizer
