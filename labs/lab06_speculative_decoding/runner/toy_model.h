#pragma once
/// @file
/// The target that a learner's step calls: slots of a pool, a pass over some rows, and a count of both.
#include <stdexcept>
#include <string>
#include <vector>

#include "speculation.h"
#include "toy_target.h"

namespace toy {

class Model final : public lab06::Target {
 public:
  Model(uint64_t language, int64_t vocabulary, int64_t blocks, int64_t block_size)
      : language_(language),
        vocabulary_(vocabulary),
        block_size_(block_size),
        slots_(size_t(blocks * block_size), kGarbage) {}

  std::vector<lab06::Token> call(std::span<const lab06::Token> rows, int64_t first,
                                 const lab06::BlockTable& table) override {
    ++calls_;
    rows_ += int64_t(rows.size());
    Reader reader(language_);
    for (int64_t position = 0; position < first; ++position) reader.read(at(table, position));
    std::vector<lab06::Token> drawn;
    for (size_t i = 0; i < rows.size(); ++i) {
      const int64_t position = first + int64_t(i);
      at(table, position) = kv_of(rows[i], position);
      reader.read(at(table, position));
      drawn.push_back(reader.next(vocabulary_));
    }
    return drawn;
  }

  /// The slot of a position; throws where the table has none.
  int64_t& at(const lab06::BlockTable& table, int64_t position) {
    if (position < 0 || position >= int64_t(table.blocks.size()) * block_size_) {
      throw std::out_of_range("position " + std::to_string(position) + " has no place in the block table");
    }
    return slots_.at(size_t(table.blocks[size_t(position / block_size_)] * block_size_ + position % block_size_));
  }

  /// Makes garbage of all slots that hold no token of `table`.
  void spoil_what_is_not_stored(const lab06::BlockTable& table) {
    std::vector<int64_t> kept;
    for (int64_t position = 0; position < table.stored; ++position) kept.push_back(at(table, position));
    slots_.assign(slots_.size(), kGarbage);
    for (int64_t position = 0; position < table.stored; ++position) at(table, position) = kept[size_t(position)];
  }

  int64_t calls() const { return calls_; }
  int64_t rows() const { return rows_; }

 private:
  uint64_t language_;
  int64_t vocabulary_, block_size_;
  std::vector<int64_t> slots_;
  int64_t calls_ = 0, rows_ = 0;
};

}  // namespace toy
