#pragma once
/// @file
/// How things go wrong. Three kinds, three exit codes of a program:
///
/// | kind      | what it is                                          | a program answers with        |
/// |-----------|-----------------------------------------------------|-------------------------------|
/// | BadInput  | a file, flag or prompt the user can put right       | one line, one hint, exit 2    |
/// | Failure   | the machine said no while running (disk, memory)    | one line, one hint, exit 1    |
/// | check()   | a bug of ours or of a lab's code                    | file, line and what was broken|
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace stagecraft {

/// A message and, where there is one, what to do next. Base of the two kinds below.
class Error : public std::runtime_error {
 public:
  Error(const std::string& message, std::string hint) : std::runtime_error(message), hint_(std::move(hint)) {}

  /// What the reader can do about it; empty where nothing sensible can be said.
  const std::string& hint() const { return hint_; }

 private:
  std::string hint_;
};

/// Input that the user can put right: exit code 2.
class BadInput : public Error {
 public:
  explicit BadInput(const std::string& message, std::string hint = "") : Error(message, std::move(hint)) {}
};

/// Something the machine refused while running: exit code 1.
class Failure : public Error {
 public:
  explicit Failure(const std::string& message, std::string hint = "") : Error(message, std::move(hint)) {}
};

/// Where a check stands in the source. (std::source_location needs a newer clang than we support.)
struct SourceLocation {
  const char* file;
  int line;

  static constexpr SourceLocation here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

/// Throws std::logic_error naming the place if `condition` is false: something that only a bug can cause.
inline void check(bool condition, std::string_view what, SourceLocation where = SourceLocation::here()) {
  if (condition) return;
  throw std::logic_error(fmt::format("{}:{}: check failed: {}", where.file, where.line, what));
}

}  // namespace stagecraft
