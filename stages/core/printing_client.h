#pragma once
/// @file
/// The client that a program has: it reads one request after the other and prints it, on a thread of its own. A
/// terminal that is stopped with Ctrl-S, or a pipe that nobody empties, holds up this thread and not the engine.
#include <atomic>
#include <exception>
#include <thread>

#include "stages/core/client_buffers.h"
#include "stages/core/text_printer.h"

namespace stagecraft {

class PrintingClient {
 public:
  /// Prints all `requests` that `buffers` has. Both others must outlive this, and nobody else may use `printer`.
  PrintingClient(ClientBuffers& buffers, TextPrinter& printer, int requests);
  /// Prints what has come; then nothing more.
  ~PrintingClient();
  PrintingClient(const PrintingClient&) = delete;
  PrintingClient& operator=(const PrintingClient&) = delete;

  /// Nobody reads any more, or printing has failed.
  bool gone() const { return gone_; }

  /// Waits until all is printed. Throws what printing threw.
  void wait();

 private:
  void print(TextPrinter& printer, int requests);

  ClientBuffers& buffers_;
  std::atomic<bool> gone_ = false;
  std::exception_ptr failure_;  // read after the thread has ended
  std::thread thread_;
};

}  // namespace stagecraft
