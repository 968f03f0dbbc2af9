#pragma once
/// @file
/// What travels between a check and the learner's process: a name and named values. A call carries inputs there and raw
/// outputs back; nobody judges anything on the learner's side.
///
/// Both ends are this project's code, but the sender may be a process that the learner's code has taken over: decode()
/// believes nothing.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft::labs {

class Message {
 public:
  Message() = default;
  explicit Message(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }

  Message& set(const std::string& key, std::vector<float> values);
  Message& set(const std::string& key, std::vector<int64_t> values);
  Message& set(const std::string& key, int64_t value);
  Message& set(const std::string& key, std::string text);

  /// Each throws std::runtime_error naming the key, if there is no such value.
  const std::vector<float>& floats(const std::string& key) const;
  const std::vector<int64_t>& integers(const std::string& key) const;
  int64_t integer(const std::string& key) const;
  const std::string& text(const std::string& key) const;

  bool has_text(const std::string& key) const { return texts_.count(key) > 0; }
  bool has_integers(const std::string& key) const { return integers_.count(key) > 0; }

  std::string encode() const;
  /// Throws std::runtime_error for bytes that no Message encodes to.
  static Message decode(std::string_view bytes);

 private:
  std::string name_;
  std::map<std::string, std::vector<float>> floats_;
  std::map<std::string, std::vector<int64_t>> integers_;
  std::map<std::string, std::string> texts_;
};

/// A message larger than this is refused.
inline constexpr uint64_t kMostMessageBytes = uint64_t{256} << 20;

/// Writes `message` to a pipe, its length first. Returns false if the other end is gone.
bool send(int descriptor, const Message& message);

/// Waits for a message; throws std::runtime_error if the pipe ends or its bytes are none.
Message receive(int descriptor);

}  // namespace stagecraft::labs
