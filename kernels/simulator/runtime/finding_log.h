#pragma once
/// @file
/// Where findings are gathered during a launch. Names, files and lines are looked up only when someone reads them:
/// that takes a child process, and a launch without a finding should cost nothing.
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/simulator/findings.h"
#include "kernels/simulator/keywords.h"

namespace simt::runtime {

class Worker;

/// Where code is: an address in the program, or a place in the source, whichever is known.
struct CodePlace {
  uintptr_t address = 0;
  Site site{nullptr, 0};

  auto key() const { return std::make_tuple(address, site.file, site.line); }
};

/// An Actor whose place has not been looked up.
struct RawActor {
  Index3 block;
  Index3 thread;
  CodePlace place;
  std::string action;
};

struct RawFinding {
  FindingKind kind;
  const void* kernel;
  RawActor actor;
  std::optional<RawActor> other;
  std::string text;
  std::string hint;
  uint64_t count = 1;
};

class FindingLog {
 public:
  /// Counts a finding that is already known: the same kind, kernel and places. False, if it is new; then add() it.
  bool repeated(FindingKind kind, const void* kernel, const CodePlace& place, const CodePlace& other = {});
  void add(RawFinding finding);

  std::vector<Finding> resolved() const;
  void clear();

 private:
  using Key = std::tuple<FindingKind, const void*, decltype(CodePlace{}.key()), decltype(CodePlace{}.key())>;

  mutable std::mutex mutex_;
  std::vector<RawFinding> found_;
  std::map<Key, size_t> index_;
};

/// The running lane of this worker, or lane `number` of its block, as an actor.
RawActor actor_of(const Worker& worker, const CodePlace& place, std::string action);
RawActor actor_of(const Worker& worker, unsigned number, const CodePlace& place, std::string action);

}  // namespace simt::runtime
