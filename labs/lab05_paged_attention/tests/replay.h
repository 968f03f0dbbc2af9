#pragma once
/// @file
/// Plays a script of operations against what the learner's code did. A report shows the last steps before the first
/// difference, not all of a random script.
#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "labs/support/check.h"

namespace lab05::replay {

using Numbers = std::vector<int64_t>;

/// Reads a trace from its beginning to its end.
class Trace {
 public:
  explicit Trace(const Numbers& numbers) : numbers_(numbers) {}

  int64_t next() { return numbers_.at(at_++); }
  Numbers next(int64_t count) {
    Numbers part;
    for (int64_t i = 0; i < count; ++i) part.push_back(next());
    return part;
  }
  /// A length, and as many numbers.
  Numbers list() { return next(next()); }

 private:
  const Numbers& numbers_;
  size_t at_ = 0;
};

/// The steps of a script, of which a report gets the last.
class Steps {
 public:
  explicit Steps(stagecraft::labs::Check& check) : check_(check) {}

  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    ++count_;
    last_.push_back(fmt::format(format, std::forward<Arguments>(arguments)...));
    if (last_.size() > kShown) last_.pop_front();
  }

  /// Ends the check with this input and the last steps, unless `holds`.
  void expect(bool holds, const std::string& input, const std::string& expected, const std::string& got) {
    if (holds) return;
    check_.input("{}; step {} of a script, and those before it", input, count_);
    for (const std::string& step : last_) check_.step("{}", step);
    check_.expect(false, expected, got);
  }

 private:
  static constexpr size_t kShown = 8;

  stagecraft::labs::Check& check_;
  std::deque<std::string> last_;
  size_t count_ = 0;
};

inline std::string listed(const Numbers& numbers) { return fmt::format("[{}]", fmt::join(numbers, " ")); }

/// What a pool's books say.
struct PoolState {
  int64_t free = 0;
  Numbers cached, references;

  static PoolState read(Trace& trace, int64_t blocks) {
    PoolState state;
    state.free = trace.next();
    state.cached = trace.list();
    state.references = trace.next(blocks);
    return state;
  }
  std::string text() const {
    return fmt::format("{} free, cached {}, references {}", free, listed(cached), listed(references));
  }
  bool operator==(const PoolState&) const = default;
};

/// A pool that knows what each block is. Which free block is given out is the learner's choice.
class PoolModel {
 public:
  explicit PoolModel(int64_t blocks) : references_(size_t(blocks), 0), cached_flag_(size_t(blocks), false) {}

  int64_t blocks() const { return int64_t(references_.size()); }
  bool is_block(int64_t block) const { return block >= 0 && block < blocks(); }
  bool is_held(int64_t block) const { return references_[size_t(block)] > 0; }
  bool is_cached(int64_t block) const { return cached_flag_[size_t(block)]; }
  bool is_free(int64_t block) const { return is_block(block) && !is_held(block) && !is_cached(block); }
  int64_t references(int64_t block) const { return references_[size_t(block)]; }
  const Numbers& cached() const { return cached_; }
  int64_t free() const {
    int64_t count = 0;
    for (int64_t block = 0; block < blocks(); ++block) count += is_free(block);
    return count;
  }

  void take(int64_t block) { references_[size_t(block)] = 1; }
  void share(int64_t block) {
    discard(block);
    ++references_[size_t(block)];
  }
  void release(int64_t block, bool keep) {
    if (--references_[size_t(block)] > 0 || !keep) return;
    cached_flag_[size_t(block)] = true;
    cached_.push_back(block);
  }
  void discard(int64_t block) {
    cached_flag_[size_t(block)] = false;
    cached_.erase(std::remove(cached_.begin(), cached_.end(), block), cached_.end());
  }

  PoolState state() const { return {free(), cached_, references_}; }

  std::string what_is(int64_t block) const {
    if (!is_block(block)) return fmt::format("{}, which is no block", block);
    return fmt::format("block {}, which is {}", block, is_held(block) ? "held" : is_cached(block) ? "cached" : "free");
  }

 private:
  Numbers references_;
  std::vector<bool> cached_flag_;
  Numbers cached_;
};

}  // namespace lab05::replay
