#pragma once
/// @file
/// Refuses JSON in which an object has the same key twice. The parser would keep one of the two silently, and another
/// reader of the same file the other: a tensor or a setting would mean different things to different programs.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "kernels/check.h"
#include "stages/core/model_files/quoted_name.h"

namespace stagecraft {

/// A callback for nlohmann's parser (and parse_json): throws BadInput at the second occurrence of a key.
class UniqueKeys {
 public:
  /// `file` begins the message.
  explicit UniqueKeys(std::string file) : file_(std::move(file)) {}

  bool operator()(int /*depth*/, nlohmann::json::parse_event_t event, const nlohmann::json& parsed) {
    using Event = nlohmann::json::parse_event_t;
    if (event == Event::object_start) seen_.emplace_back();
    if (event == Event::object_end) seen_.pop_back();
    if (event == Event::key && !seen_.back().insert(parsed.get_ref<const std::string&>()).second) {
      throw BadInput(
          fmt::format("{}: the key {} occurs twice in one object", file_, quoted_name(parsed.get<std::string>())),
          "remove one of the two, or fetch the file again");
    }
    return true;
  }

 private:
  std::string file_;
  std::vector<std::set<std::string>> seen_;  // the keys of each object that is open
};

}  // namespace stagecraft
