#include "stages/core/tokenizer/bpe.h"

#include <algorithm>
#include <limits>

#include "stages/core/tokenizer/part.h"
#include "stages/core/tokenizer/utf8.h"

namespace stagecraft::tokenizer {
namespace {

constexpr int32_t kNone = -1;  // no neighbour

/// The "model" itself, once it is known to be a BPE that we have all of.
JsonField supported_model(const JsonField& model) {
  if (model.find("type")) type_of(model, {"BPE"});  // files from before 2021 do not say
  for (const char* option : {"dropout", "continuing_subword_prefix", "end_of_word_suffix"})
    refuse_if_set(model, option);
  return model.at("vocab");
}

std::optional<TokenId> unknown_token(const JsonField& model, const Vocabulary& vocabulary) {
  const auto field = model.find("unk_token");
  if (!field || field->text().empty()) return std::nullopt;
  const auto id = vocabulary.find(field->text());
  if (!id) field->fail("must be a piece of the vocabulary");
  return id;
}

}  // namespace

Bpe::Bpe(const JsonField& model)
    : vocabulary_(supported_model(model)),
      merges_(model.at("merges"), vocabulary_),
      unknown_(unknown_token(model, vocabulary_)),
      fuse_unknown_(model.boolean_or("fuse_unk", false)),
      ignore_merges_(model.boolean_or("ignore_merges", false)),
      byte_fallback_(model.boolean_or("byte_fallback", false)) {
  for (size_t byte = 0; byte < byte_ids_.size(); ++byte)
    byte_ids_[byte] = vocabulary_.find(fmt::format("<0x{:02X}>", byte));
}

void Bpe::encode(std::string_view word, std::vector<TokenId>& ids, BpeScratch& scratch) const {
  check(word.size() < size_t(std::numeric_limits<int32_t>::max()), "a word is shorter than 2^31 bytes");
  if (ignore_merges_) {
    if (const auto whole = vocabulary_.find(word)) {
      ids.push_back(*whole);
      return;
    }
  }
  append_characters(word, scratch);
  merge_all(scratch);
  for (const BpeScratch::Symbol& symbol : scratch.symbols_) {
    if (symbol.id != kNoToken) ids.push_back(symbol.id);
  }
}

/// The order of events is the reference implementation's, also where it is surprising: unknown characters wait until
/// the next known one, and byte tokens overtake them.
void Bpe::append_characters(std::string_view word, BpeScratch& scratch) const {
  auto& symbols = scratch.symbols_;
  symbols.clear();
  int64_t waiting = 0;  // unknown tokens
  const auto append_waiting = [&] {
    for (; waiting > 0; --waiting) symbols.push_back({*unknown_, kNone, kNone});
  };
  for (size_t at = 0; at < word.size();) {
    const std::string_view character = word.substr(at, character_bytes(word, at));
    at += character.size();
    if (const auto id = vocabulary_.find(character)) {
      append_waiting();
      symbols.push_back({*id, kNone, kNone});
    } else if (byte_fallback_ && append_bytes(character, scratch)) {
      continue;
    } else if (unknown_) {
      if (!fuse_unknown_) append_waiting();
      waiting = 1;
    }
  }
  append_waiting();
  for (size_t i = 0; i < symbols.size(); ++i) {
    symbols[i].previous = int32_t(i) - 1;
    symbols[i].next = i + 1 < symbols.size() ? int32_t(i) + 1 : kNone;
  }
}

/// False where the vocabulary lacks one of the bytes.
bool Bpe::append_bytes(std::string_view character, BpeScratch& scratch) const {
  const auto known = [&](char byte) { return byte_ids_[uint8_t(byte)].has_value(); };
  if (!std::all_of(character.begin(), character.end(), known)) return false;
  for (const char byte : character) scratch.symbols_.push_back({*byte_ids_[uint8_t(byte)], kNone, kNone});
  return true;
}

namespace {

/// For a heap with the first merge to make on top.
constexpr auto later = [](const auto& a, const auto& b) {
  return a.rank != b.rank ? a.rank > b.rank : a.position > b.position;
};

}  // namespace

/// Queues the merge of the symbol at `position` with its right neighbour, if they have one.
void Bpe::push_candidate(int32_t position, BpeScratch& scratch) const {
  const BpeScratch::Symbol& left = scratch.symbols_[size_t(position)];
  if (left.next == kNone) return;
  const TokenId right = scratch.symbols_[size_t(left.next)].id;
  const Merge* merge = merges_.find(left.id, right);
  if (merge == nullptr) return;
  scratch.queue_.push_back({merge->rank, position, left.id, right, merge->whole});
  std::push_heap(scratch.queue_.begin(), scratch.queue_.end(), later);
  ++scratch.queue_operations_;
}

void Bpe::merge_all(BpeScratch& scratch) const {
  for (size_t i = 0; i < scratch.symbols_.size(); ++i) push_candidate(int32_t(i), scratch);
  while (!scratch.queue_.empty()) {
    std::pop_heap(scratch.queue_.begin(), scratch.queue_.end(), later);
    const BpeScratch::Candidate best = scratch.queue_.back();
    scratch.queue_.pop_back();
    ++scratch.queue_operations_;

    const BpeScratch::Symbol& left = scratch.symbols_[size_t(best.position)];
    const bool stale =
        left.id != best.left || left.next == kNone || scratch.symbols_[size_t(left.next)].id != best.right;
    if (!stale) merge_at(best.position, best.whole, scratch);
  }
}

void Bpe::merge_at(int32_t position, TokenId whole, BpeScratch& scratch) const {
  BpeScratch::Symbol& left = scratch.symbols_[size_t(position)];
  BpeScratch::Symbol& right = scratch.symbols_[size_t(left.next)];
  left.id = whole;
  left.next = right.next;
  right.id = kNoToken;
  if (left.next != kNone) scratch.symbols_[size_t(left.next)].previous = position;
  if (left.previous != kNone) push_candidate(left.previous, scratch);
  push_candidate(position, scratch);
}

}  // namespace stagecraft::tokenizer
