#pragma once
/// @file
/// How the rows of a weight are shared out: in rounds, each with one item a thread and half as many rows as the round
/// before. Long first items keep each thread on one run of memory; short last ones let all threads end at about the
/// same time, though they neither start together nor run equally fast. "Factoring" (Hummel, Schonberg and Flynn 1992).
#include <algorithm>
#include <cstdint>

namespace stagecraft::cpu {

class RowShares {
 public:
  /// Shares `rows` among `threads` in multiples of `unit` rows, and in items of `shortest` rows or more; among fewer
  /// threads where there are not enough rows for all.
  RowShares(int64_t rows, int threads, int64_t unit, int64_t shortest)
      : rows_(rows), units_((rows + unit - 1) / unit), unit_(unit) {
    shortest = std::max(shortest, unit);
    threads_ = std::clamp<int64_t>(rows / shortest, 1, threads);
    while ((units_ >> rounds_) * unit >= shortest * threads_) ++rounds_;
  }

  int64_t items() const { return rounds_ * threads_; }

  /// The first row of an item; that of the item after the last is the number of rows. Items may be empty.
  int64_t first(int64_t item) const {
    const int64_t round = item / threads_;
    const int64_t start = start_of(round), length = start_of(round + 1) - start;
    const int64_t row = (start + length * (item % threads_) / threads_) * unit_;
    return std::min(row, rows_);
  }

 private:
  int64_t start_of(int64_t round) const { return round < rounds_ ? units_ - (units_ >> round) : units_; }

  int64_t rows_, units_, unit_;
  int64_t threads_;
  int64_t rounds_ = 1;
};

}  // namespace stagecraft::cpu
