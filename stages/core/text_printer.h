#pragma once
/// @file
/// Prints the text of requests as it is made, without mixing them: the first unfinished request streams, the text of
/// those after it waits until its turn comes. With several requests a heading stands before each:
///
///     === prompt 1 of 2 ===
///      a King came and said ...
///     === prompt 2 of 2 ===
#include <cstdio>
#include <string>
#include <vector>

#include "stages/core/text_sink.h"

namespace stagecraft {

class TextPrinter : public TextSink {
 public:
  /// For requests 0 to `requests` - 1. `out` must outlive this.
  TextPrinter(std::FILE* out, int requests);

  /// Throws Failure if `out` cannot be written, unless its reader went away: then what follows is dropped.
  void text(int request, std::string_view piece) override;
  void finished(int request) override;

  /// The reader of a pipe has closed it, as `head` does when it has seen enough.
  bool reader_gone() const { return reader_gone_; }

 private:
  struct Output {
    std::string waiting;
    bool finished = false;
  };

  void print_heading();
  void write(std::string_view text);

  std::FILE* out_;
  std::vector<Output> outputs_;
  int current_ = 0;
  bool reader_gone_ = false;
};

}  // namespace stagecraft
