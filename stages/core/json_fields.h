#pragma once
/// @file
/// JSON of a model folder, read field by field.
///
/// A model file is untrusted input. Every access here names what it wanted and what it found, by the path of the field:
/// `config.json: field "rope_scaling.factor" must be a number, got "abc"`. So a reader of a file writes down what it
/// expects, once, and needs no checks of its own.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/check.h"

namespace stagecraft {

/// Deepest nesting of objects and arrays accepted; real files have less than ten. It bounds every recursion over JSON.
inline constexpr int kMaxJsonDepth = 64;

/// The hint where a message already says all there is to say about the field.
inline constexpr const char* kFieldHint = "put the field right, or take the file from the model's page again";

/// One value of a JSON document, and where it stands. Holds a reference: the document must outlive it.
class JsonField {
 public:
  /// The root of a document; `file` stands for it in messages.
  JsonField(const nlohmann::json& root, std::string file) : JsonField(root, std::move(file), "") {}

  const nlohmann::json& value() const { return *value_; }
  const std::string& file() const { return file_; }
  /// Path from the root, such as `rope_scaling.factor` or `merges[3]`; empty for the root.
  const std::string& path() const { return path_; }

  /// Member `key`. Throws BadInput if this is no object or the member is absent.
  JsonField at(const std::string& key) const {
    const auto member = object().find(key);
    if (member == value_->end())
      throw BadInput(fmt::format("{}: field \"{}\" is missing", file_, printable(join(key))), kFieldHint);
    return child(*member, join(key));
  }

  /// Member `key`; nothing where it is absent or null. Throws BadInput if this is no object.
  std::optional<JsonField> find(const std::string& key) const {
    const auto member = object().find(key);
    if (member == value_->end() || member->is_null()) return std::nullopt;
    return child(*member, join(key));
  }

  /// Element `index` of an array. Throws BadInput if this is no array or too short.
  JsonField at(size_t index) const {
    if (index >= array().size()) fail(fmt::format("must have more than {} elements", index));
    return child((*value_)[index], fmt::format("{}[{}]", path_, index));
  }

  /// The object itself, for loops over its members (`for (const auto& [key, value] : field.object().items())`).
  const nlohmann::json& object() const {
    if (!value_->is_object()) fail("must be an object");
    return *value_;
  }
  /// The array itself.
  const nlohmann::json& array() const {
    if (!value_->is_array()) fail("must be an array");
    return *value_;
  }
  const std::string& text() const {
    if (!value_->is_string()) fail("must be a string");
    return value_->get_ref<const std::string&>();
  }
  bool boolean() const {
    if (!value_->is_boolean()) fail("must be true or false");
    return value_->get<bool>();
  }
  /// A finite number, integer or not.
  double number() const {
    if (!value_->is_number() || !std::isfinite(value_->get<double>())) fail("must be a number");
    return value_->get<double>();
  }
  /// An integer from `least` to `most`, both included.
  int64_t integer(int64_t least, int64_t most = std::numeric_limits<int64_t>::max()) const {
    const bool too_large =
        value_->is_number_unsigned() && value_->get<uint64_t>() > uint64_t(std::numeric_limits<int64_t>::max());
    const bool good = value_->is_number_integer() && !too_large;
    if (!good || value_->get<int64_t>() < least || value_->get<int64_t>() > most) fail(range_text(least, most));
    return value_->get<int64_t>();
  }
  int64_t positive_integer(int64_t most = std::numeric_limits<int64_t>::max()) const { return integer(1, most); }

  /// The member's value, or `otherwise` where it is absent or null.
  std::string text_or(const std::string& key, const std::string& otherwise) const {
    const auto field = find(key);
    return field ? field->text() : otherwise;
  }
  bool boolean_or(const std::string& key, bool otherwise) const {
    const auto field = find(key);
    return field ? field->boolean() : otherwise;
  }
  double number_or(const std::string& key, double otherwise) const {
    const auto field = find(key);
    return field ? field->number() : otherwise;
  }

  /// Throws BadInput: `FILE: field "PATH" EXPECTATION, got VALUE`.
  [[noreturn]] void fail(const std::string& expectation, const std::string& hint = kFieldHint) const {
    const std::string what = path_.empty() ? "the document" : fmt::format("field \"{}\"", printable(path_));
    throw BadInput(fmt::format("{}: {} {}, got {}", file_, what, expectation, shown()), hint);
  }

 private:
  JsonField(const nlohmann::json& value, std::string file, std::string path)
      : value_(&value), file_(std::move(file)), path_(std::move(path)) {}

  JsonField child(const nlohmann::json& value, std::string path) const { return {value, file_, std::move(path)}; }
  std::string join(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  static std::string range_text(int64_t least, int64_t most) {
    const bool open = most == std::numeric_limits<int64_t>::max();
    if (open && least == 1) return "must be a positive integer";
    return fmt::format("must be an integer from {} to {}", least, most);
  }

  /// A path on one line: keys come from the file and may hold anything.
  static std::string printable(std::string path) {
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
    std::replace_if(path.begin(), path.end(), is_control, '?');
    return path;
  }

  /// The value as a message shows it: on one line, in ASCII, not too long.
  std::string shown() const {
    if (value_->is_object()) return "an object";
    if (value_->is_array()) return fmt::format("an array of {}", value_->size());
    constexpr size_t kLongest = 60;
    std::string text = value_->dump(-1, ' ', true);
    if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
    return text;
  }

  const nlohmann::json* value_;
  std::string file_;
  std::string path_;
};

/// Depth of nested objects and arrays in `text`, without building anything.
inline int json_depth(std::string_view text) {
  int depth = 0, deepest = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') ++i;
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    if (c == '{' || c == '[') deepest = std::max(deepest, ++depth);
    if (c == '}' || c == ']') --depth;
  }
  return deepest;
}

/// The document in `text`; `file` stands for it in messages. `inspect`, if given, sees each part as it is parsed.
/// Throws BadInput if the text is not JSON or nested too deeply.
inline nlohmann::json parse_json(std::string_view text, const std::string& file,
                                 const nlohmann::json::parser_callback_t& inspect = nullptr) {
  if (json_depth(text) > kMaxJsonDepth) {
    throw BadInput(fmt::format("{}: JSON is nested more than {} deep", file, kMaxJsonDepth), kFieldHint);
  }
  try {
    return nlohmann::json::parse(text.begin(), text.end(), inspect);
  } catch (const nlohmann::json::parse_error& error) {
    throw BadInput(
        fmt::format("{}: broken JSON at byte {} of {}", file, std::min(error.byte, text.size()), text.size()),
        "fetch the file again; it may be cut off or a Git LFS pointer");
  } catch (const nlohmann::json::exception&) {  // a number beyond a double's range
    throw BadInput(fmt::format("{}: broken JSON: a number is out of range", file));
  }
}

/// Bytes of the file at `path`. Throws BadInput if it cannot be read.
inline std::string read_text_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::error_code ignored;
  if (!stream || !std::filesystem::is_regular_file(path, ignored)) {
    throw BadInput(fmt::format("cannot read {}", path.string()),
                   "--model names a Hugging Face folder with config.json, tokenizer.json and model.safetensors");
  }
  std::string text(std::filesystem::file_size(path), '\0');
  stream.read(text.data(), std::streamsize(text.size()));
  text.resize(size_t(stream.gcount()));
  return text;
}

/// The JSON document in the file at `path`, which stands for itself in messages. Throws BadInput.
inline nlohmann::json read_json_file(const std::filesystem::path& path) {
  return parse_json(read_text_file(path), path.string());
}

}  // namespace stagecraft
