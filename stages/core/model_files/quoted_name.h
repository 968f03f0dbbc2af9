#pragma once
/// @file
/// How a name from an untrusted file appears in a message.
#include <string>

#include <nlohmann/json.hpp>

namespace stagecraft {

/// `name` in quotes, on one line, in ASCII, not too long.
inline std::string quoted_name(const std::string& name) {
  constexpr size_t kLongest = 120;
  using Json = nlohmann::json;
  std::string text = Json(name).dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...\"";
  return text;
}

}  // namespace stagecraft
