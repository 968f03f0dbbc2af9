#pragma once
/// @file
/// Where the text of requests goes as it is made.
#include <string_view>

namespace stagecraft {

class TextSink {
 public:
  virtual ~TextSink() = default;

  /// The next piece of a request's text; not empty, whole characters.
  virtual void text(int request, std::string_view piece) = 0;
  /// No more text comes for this request.
  virtual void finished(int request) = 0;
};

/// For runs whose text is read from the report alone.
class NoTextSink : public TextSink {
 public:
  void text(int, std::string_view) override {}
  void finished(int) override {}
};

}  // namespace stagecraft
