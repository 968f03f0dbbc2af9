/// @file
/// Each piece is flushed: a reader of a pipe sees it when it is made.
#include "stages/core/text_printer.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {

TextPrinter::TextPrinter(std::FILE* out, int requests) : out_(out), outputs_(size_t(requests)) { print_heading(); }

void TextPrinter::text(int request, std::string_view piece) {
  if (request == current_) {
    write(piece);
  } else {
    outputs_[size_t(request)].waiting += piece;
  }
}

void TextPrinter::finished(int request) {
  outputs_[size_t(request)].finished = true;
  while (current_ < int(outputs_.size()) && outputs_[size_t(current_)].finished) {
    write("\n");
    ++current_;
    print_heading();
    if (current_ < int(outputs_.size())) write(outputs_[size_t(current_)].waiting);
  }
}

void TextPrinter::print_heading() {
  if (outputs_.size() < 2 || current_ >= int(outputs_.size())) return;
  write(fmt::format("=== prompt {} of {} ===\n", current_ + 1, outputs_.size()));
}

void TextPrinter::write(std::string_view text) {
  if (reader_gone_) return;
  const bool written = std::fwrite(text.data(), 1, text.size(), out_) == text.size() && std::fflush(out_) == 0;
  if (written) return;
  if (errno != EPIPE)
    throw Failure(fmt::format("cannot write the text: {}", std::strerror(errno)), "is the disk full?");
  reader_gone_ = true;
}

}  // namespace stagecraft
