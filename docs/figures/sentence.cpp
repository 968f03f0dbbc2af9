#include "docs/figures/sentence.h"

#include <cctype>
#include <cmath>
#include <vector>

#include "kernels/check.h"
#include "stages/core/run_report.h"

namespace stagecraft::figures {
namespace {

/// "scaled.6.1" is {"scaled", "6", "1"}.
std::vector<std::string> parts_of(std::string_view form) {
  std::vector<std::string> parts(1);
  for (const char c : form) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string fixed(double number, const std::string& digits) {
  return fmt::format("{:.{}f}", number, std::stoi(digits));
}

std::string formatted(const Value& value, std::string_view form) {
  const std::vector<std::string> parts = parts_of(form);
  if (form == "text" && value.is_string()) return value.get<std::string>();
  if (value.is_number()) {
    const double number = value.get<double>();
    if (form == "count") return with_commas(std::llround(number));
    if (parts[0] == "fixed" && parts.size() == 2) return fixed(number, parts[1]);
    if (parts[0] == "percent" && parts.size() == 2) return fixed(number * 100, parts[1]);
    if (parts[0] == "scaled" && parts.size() == 3) return fixed(number / std::pow(10.0, std::stoi(parts[1])), parts[2]);
  }
  throw BadInput(fmt::format("a value {} cannot be written as \"{}\"", value.dump(), form),
                 "docs/figures/sentence.h lists the forms");
}

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// The end of `words` in `chapter` if they stand at `begin`, with any white space for each of their single spaces.
std::optional<size_t> end_of(std::string_view chapter, size_t begin, std::string_view words) {
  size_t at = begin;
  for (const char c : words) {
    if (at == chapter.size()) return std::nullopt;
    if (c != ' ') {
      if (chapter[at] != c) return std::nullopt;
      ++at;
    } else {
      if (!is_space(chapter[at])) return std::nullopt;
      while (at < chapter.size() && is_space(chapter[at])) ++at;
    }
  }
  return at;
}

}  // namespace

std::string filled(std::string_view sentence, const std::map<std::string, Value>& values) {
  std::string text;
  while (true) {
    const size_t open = sentence.find('{'), close = sentence.find('}', open);
    text += sentence.substr(0, open);
    if (close == std::string_view::npos) return text;
    const std::string_view placeholder = sentence.substr(open + 1, close - open - 1);
    const size_t colon = placeholder.find(':');
    const auto value = values.find(std::string(placeholder.substr(0, colon)));
    if (colon == std::string_view::npos || value == values.end()) {
      throw BadInput(fmt::format("{{{}}}: there is no such value", placeholder), "write {run.value:form}");
    }
    text += formatted(value->second, placeholder.substr(colon + 1));
    sentence.remove_prefix(close + 1);
  }
}

std::optional<Place> place_of(std::string_view sentence, std::string_view chapter) {
  const std::string words = in_one_line(sentence);
  if (words.empty()) return std::nullopt;
  for (size_t begin = chapter.find(words[0]); begin != std::string_view::npos;
       begin = chapter.find(words[0], begin + 1)) {
    if (const auto end = end_of(chapter, begin, words)) return Place{begin, *end};
  }
  return std::nullopt;
}

bool holds(std::string_view chapter, std::string_view sentence) { return place_of(sentence, chapter).has_value(); }

std::string in_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (!is_space(c)) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace stagecraft::figures
