#pragma once
/// @file
/// Text between the engine, which must not wait, and clients, which read as slowly as they like:
///
///     engine --text(3, " king")-->  [request 3:  a  king]  --read(3)-->  client 3
///                                   [request 4: "        ]  --read(4)-->  client 4
///
/// The engine only appends. Each client takes what is there for its request, from a thread of its own. A buffer is
/// never longer than the request's output, so it needs no limit of its own.
#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

#include "stages/core/text_sink.h"

namespace stagecraft {

class ClientBuffers final : public TextSink {
 public:
  /// For requests 0 to `requests` - 1.
  explicit ClientBuffers(size_t requests) : buffers_(requests) {}

  void text(int request, std::string_view piece) override;
  void finished(int request) override;

  /// Nothing more comes for anybody.
  void close();

  /// What has come for `request` since the last call; waits until there is something. Empty: no more comes.
  std::string read(int request);

 private:
  struct Buffer {
    std::string unread;
    bool finished = false;
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Buffer> buffers_;
};

}  // namespace stagecraft
