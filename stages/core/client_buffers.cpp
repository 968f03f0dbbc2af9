/// @file
/// One lock for all buffers: it is held only to append or to take a string.
#include "stages/core/client_buffers.h"

#include <utility>

namespace stagecraft {

void ClientBuffers::text(int request, std::string_view piece) {
  {
    const std::lock_guard lock(mutex_);
    buffers_[size_t(request)].unread += piece;
  }
  changed_.notify_all();
}

void ClientBuffers::finished(int request) {
  {
    const std::lock_guard lock(mutex_);
    buffers_[size_t(request)].finished = true;
  }
  changed_.notify_all();
}

void ClientBuffers::close() {
  {
    const std::lock_guard lock(mutex_);
    for (Buffer& buffer : buffers_) buffer.finished = true;
  }
  changed_.notify_all();
}

std::string ClientBuffers::read(int request) {
  std::unique_lock lock(mutex_);
  Buffer& buffer = buffers_[size_t(request)];
  changed_.wait(lock, [&] { return buffer.finished || !buffer.unread.empty(); });
  return std::exchange(buffer.unread, "");
}

}  // namespace stagecraft
