/// @file
/// The encoding: lengths as 8 bytes in this machine's order (both ends run on it), then the bytes.
#include "labs/support/message.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <unistd.h>

namespace stagecraft::labs {
namespace {

class Writer {
 public:
  void number(uint64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  template <class Values>
  void array(const Values& values) {
    number(values.size());
    if (values.empty()) return;
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]);
  }
  template <class Map>
  void map(const Map& entries) {
    number(entries.size());
    for (const auto& [key, values] : entries) {
      array(key);
      array(values);
    }
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  uint64_t number() {
    uint64_t value = 0;
    copy(&value, sizeof value);
    return value;
  }
  template <class Values>
  void array(Values& values) {
    const uint64_t count = number();
    if (count > rest_.size() / sizeof values[0]) throw std::runtime_error("a message ends too early");
    values.resize(count);
    copy(values.data(), count * sizeof values[0]);
  }
  template <class Map>
  void map(Map& entries) {
    for (uint64_t left = number(); left > 0; --left) {
      std::string key;
      array(key);
      array(entries[key]);
    }
  }
  bool empty() const { return rest_.empty(); }

 private:
  void copy(void* to, size_t bytes) {
    if (bytes > rest_.size()) throw std::runtime_error("a message ends too early");
    if (bytes > 0) std::memcpy(to, rest_.data(), bytes);
    rest_.remove_prefix(bytes);
  }

  std::string_view rest_;
};

template <class Map>
const typename Map::mapped_type& find(const Map& entries, const std::string& key, const char* kind) {
  const auto found = entries.find(key);
  if (found != entries.end()) return found->second;
  throw std::runtime_error("the message has no " + std::string(kind) + " called '" + key + "'");
}

bool write_all(int descriptor, const char* bytes, size_t count) {
  while (count > 0) {
    const ssize_t written = ::write(descriptor, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    count -= size_t(written);
  }
  return true;
}

void read_all(int descriptor, char* bytes, size_t count) {
  while (count > 0) {
    const ssize_t got = ::read(descriptor, bytes, count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw std::runtime_error("the other end is gone");
    bytes += got;
    count -= size_t(got);
  }
}

}  // namespace

Message& Message::set(const std::string& key, std::vector<float> values) {
  floats_[key] = std::move(values);
  return *this;
}

Message& Message::set(const std::string& key, std::vector<int64_t> values) {
  integers_[key] = std::move(values);
  return *this;
}

Message& Message::set(const std::string& key, int64_t value) { return set(key, std::vector<int64_t>{value}); }

Message& Message::set(const std::string& key, std::string text) {
  texts_[key] = std::move(text);
  return *this;
}

const std::vector<float>& Message::floats(const std::string& key) const { return find(floats_, key, "floats"); }
const std::vector<int64_t>& Message::integers(const std::string& key) const { return find(integers_, key, "integers"); }
const std::string& Message::text(const std::string& key) const { return find(texts_, key, "text"); }

int64_t Message::integer(const std::string& key) const {
  const std::vector<int64_t>& values = integers(key);
  if (values.size() != 1) throw std::runtime_error("'" + key + "' is not a single integer");
  return values.front();
}

std::string Message::encode() const {
  Writer writer;
  writer.array(name_);
  writer.map(floats_);
  writer.map(integers_);
  writer.map(texts_);
  return writer.take();
}

Message Message::decode(std::string_view bytes) {
  Reader reader(bytes);
  Message message;
  reader.array(message.name_);
  reader.map(message.floats_);
  reader.map(message.integers_);
  reader.map(message.texts_);
  if (!reader.empty()) throw std::runtime_error("a message has bytes behind its end");
  return message;
}

bool send(int descriptor, const Message& message) {
  const std::string bytes = message.encode();
  const uint64_t length = bytes.size();
  return write_all(descriptor, reinterpret_cast<const char*>(&length), sizeof length) &&
         write_all(descriptor, bytes.data(), bytes.size());
}

Message receive(int descriptor) {
  uint64_t length = 0;
  read_all(descriptor, reinterpret_cast<char*>(&length), sizeof length);
  if (length > kMostMessageBytes) throw std::runtime_error("a message is too long");
  std::string bytes(length, '\0');
  read_all(descriptor, bytes.data(), length);
  return Message::decode(bytes);
}

}  // namespace stagecraft::labs
