#include "labs/program/regions.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "kernels/check.h"

namespace stagecraft::labs {
namespace {

constexpr std::string_view kOpen = "// >>> LAB ", kClose = "// <<< LAB ", kGiven = "//|";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string_view trimmed(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t");
  return first == std::string_view::npos ? "" : line.substr(first);
}

std::string indentation(std::string_view line) {
  return std::string(line.substr(0, line.size() - trimmed(line).size()));
}

bool starts_with(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

/// The region's name, if `line` is a mark of this kind.
std::string mark_name(std::string_view line, std::string_view mark) {
  line = trimmed(line);
  if (!starts_with(line, mark)) return "";
  line.remove_prefix(mark.size());
  return std::string(line.substr(0, line.find(' ')));
}

/// Walks through a file: `outside` gets each line that is no body (marks too), `inside` each region with its mark's line.
template <class Outside, class Inside>
void walk(const std::string& text, const std::string& file, Outside outside, Inside inside) {
  Region open;
  std::string mark;
  int number = 0;
  const auto wrong = [&](const std::string& what) {
    return BadInput(fmt::format("{}:{}: {}", file, number, what),
                    "each '// >>> LAB id' needs its '// <<< LAB id'; labs/lab reset brings a file back");
  };
  for (const std::string& line : lines_of(text)) {
    ++number;
    const std::string begins = mark_name(line, kOpen), ends = mark_name(line, kClose);
    if (!begins.empty()) {
      if (!open.name.empty()) throw wrong("a region begins inside " + open.name);
      open = {begins, number, ""};
      mark = line;
      outside(line);
    } else if (!ends.empty()) {
      if (ends != open.name) throw wrong("a region ends that did not begin: " + ends);
      inside(open, indentation(mark));
      open = {};
      outside(line);
    } else if (open.name.empty()) {
      outside(line);
    } else {
      open.body += line + "\n";
    }
  }
  if (!open.name.empty()) throw wrong("a region does not end: " + open.name);
}

/// What a learner finds between the marks.
std::string skeleton_body(const Region& region, const std::string& indent) {
  std::string todo, given;
  bool leading = true;
  for (const std::string& line : lines_of(region.body)) {
    const std::string_view code = trimmed(line);
    leading = leading && starts_with(code, "//") && !starts_with(code, kGiven);
    if (leading) todo += line + "\n";
    if (!starts_with(code, kGiven)) continue;
    std::string_view rest = code.substr(kGiven.size());
    if (starts_with(rest, " ")) rest.remove_prefix(1);
    given += rest.empty() ? "\n" : indentation(line) + std::string(rest) + "\n";
  }
  const bool in_function = !indent.empty();  // at file scope there is nothing to stop
  const std::string stop = in_function ? fmt::format("{}LAB_TODO(\"{}\");\n", indent, region.task()) : "";
  return todo + stop + given;
}

Variant::Promise promise_of(const std::string& line, std::string& rest, const Path& file) {
  const std::pair<std::string_view, Variant::Promise> known[] = {
      {"// must fail: ", Variant::Promise::fails},
      {"// must pass: ", Variant::Promise::passes},
      {"// must get nothing: ", Variant::Promise::gets_nothing}};
  for (const auto& [words, promise] : known) {
    if (!starts_with(line, words)) continue;
    rest = line.substr(words.size());
    return promise;
  }
  throw BadInput(fmt::format("{}: the first line promises nothing", file.string()),
                 "write '// must fail: CHECK: MESSAGE', '// must pass: TASK' or '// must get nothing: TASK'");
}

}  // namespace

std::vector<Region> regions_of(const std::string& text, const std::string& file) {
  std::vector<Region> regions;
  walk(
      text, file, [](const std::string&) {},
      [&](const Region& region, const std::string&) { regions.push_back(region); });
  return regions;
}

std::string with_regions(const std::string& text, const std::map<std::string, std::string>& bodies,
                         const std::string& file) {
  std::string result;
  walk(
      text, file, [&](const std::string& line) { result += line + "\n"; },
      [&](const Region& region, const std::string&) {
        const auto body = bodies.find(region.name);
        result += body == bodies.end() ? region.body : body->second;
      });
  return result;
}

std::string skeleton_of(const std::string& solution, const std::string& file) {
  std::string result;
  walk(
      solution, file, [&](const std::string& line) { result += line + "\n"; },
      [&](const Region& region, const std::string& indent) { result += skeleton_body(region, indent); });
  return result;
}

std::string solution_without_given(const std::string& solution) {
  std::string result;
  for (const std::string& line : lines_of(solution)) {
    if (!starts_with(trimmed(line), kGiven)) result += line + "\n";
  }
  return result;
}

Variant read_variant(const Path& file) {
  const std::string text = read_file(file);
  Variant variant;
  variant.name = file.stem().string();
  std::string rest;
  variant.promise = promise_of(text.substr(0, text.find('\n')), rest, file);
  const size_t colon = rest.find(": ");
  variant.id = rest.substr(0, rest.find_first_of(": "));
  if (variant.promise == Variant::Promise::fails) {
    if (colon == std::string::npos)
      throw BadInput(fmt::format("{}: no message is promised", file.string()), "CHECK: MESSAGE");
    variant.message = rest.substr(colon + 2);
  }
  for (const Region& region : regions_of(text, file.string())) variant.bodies[region.name] = region.body;
  return variant;
}

std::vector<Variant> read_variants(const Path& folder) {
  std::vector<Variant> variants;
  if (!std::filesystem::is_directory(folder)) return variants;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) variants.push_back(read_variant(entry.path()));
  std::sort(variants.begin(), variants.end(), [](const Variant& a, const Variant& b) { return a.name < b.name; });
  return variants;
}

}  // namespace stagecraft::labs
