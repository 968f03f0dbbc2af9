/// @file
/// A thread that reads and prints.
#include "stages/core/printing_client.h"

namespace stagecraft {

PrintingClient::PrintingClient(ClientBuffers& buffers, TextPrinter& printer, int requests)
    : buffers_(buffers), thread_([this, &printer, requests] { print(printer, requests); }) {}

PrintingClient::~PrintingClient() {
  buffers_.close();
  if (thread_.joinable()) thread_.join();
}

void PrintingClient::wait() {
  thread_.join();
  if (failure_) std::rethrow_exception(failure_);
}

void PrintingClient::print(TextPrinter& printer, int requests) {
  try {
    for (int request = 0; request < requests && !printer.reader_gone(); ++request) {
      for (std::string text = buffers_.read(request); !text.empty(); text = buffers_.read(request)) {
        printer.text(request, text);
        gone_ = printer.reader_gone();
      }
      printer.finished(request);
      gone_ = printer.reader_gone();
    }
  } catch (...) {
    failure_ = std::current_exception();
    gone_ = true;
  }
}

}  // namespace stagecraft
