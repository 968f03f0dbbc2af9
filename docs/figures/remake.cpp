#include "docs/figures/remake.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <regex>
#include <thread>

#include "kernels/check.h"
#include "stages/core/run_report.h"

namespace stagecraft::figures {
namespace {

constexpr const char* kModelFolder = "{smollm2}";

/// An empty folder that goes with its owner.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "figures-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw Failure(fmt::format("{}: no folder can be made there", name));
    path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

/// In single quotes, as a shell takes it literally.
std::string quoted(std::string argument) {
  replace_all(argument, "'", R"('\'')");
  return "'" + argument + "'";
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[sizeof "2026-11-30"];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::localtime(&now));
  return text;
}

/// A number if it reads as one; digits may be grouped by commas.
Value value_of(std::string text) {
  std::string digits = text;
  replace_all(digits, ",", "");
  char* end = nullptr;
  const double number = std::strtod(digits.c_str(), &end);
  return !digits.empty() && *end == '\0' ? Value(number) : Value(text);
}

Value found(const ValueSource& source, const nlohmann::json& json, const std::string& printed) {
  if (!source.pointer.empty()) return json.at(nlohmann::json::json_pointer(source.pointer));
  std::smatch match;
  if (!std::regex_search(printed, match, std::regex(source.pattern)) || match.size() < 2) {
    throw Failure(fmt::format("nothing printed matches {}", source.pattern), "run the command and look");
  }
  return value_of(match[1]);
}

std::string last_of(const std::string& printed) {
  constexpr size_t kShown = 600;
  return printed.size() > kShown ? "..." + printed.substr(printed.size() - kShown) : printed;
}

}  // namespace

bool can_run(const Run& run, const Places& places) {
  const auto needs_model = [](const std::string& argument) { return argument.find(kModelFolder) != std::string::npos; };
  return !places.smollm2.empty() || std::none_of(run.command.begin(), run.command.end(), needs_model);
}

RunResults remade(const Run& run, const Places& places) {
  const ScratchFolder folder;
  const std::filesystem::path json_file = folder.path() / "run.json";
  const std::filesystem::path output = folder.path() / "output", errors = folder.path() / "errors";
  std::string command = "cd " + quoted(places.root.string()) + " &&";
  for (std::string argument : run.command) {
    replace_all(argument, "{bin}", places.programs.string());
    replace_all(argument, kModelFolder, places.smollm2.string());
    replace_all(argument, "{json}", json_file.string());
    replace_all(argument, "{tmp}", folder.path().string());
    command += " " + quoted(argument);
  }
  command += " >" + quoted(output.string()) + " 2>" + quoted(errors.string()) + " </dev/null";
  const int status = std::system(command.c_str());
  const std::string printed = content_of(output) + "\n" + content_of(errors);
  if (status != 0) throw Failure(fmt::format("run {}: {} failed:\n{}", run.id, command, last_of(printed)));

  RunResults results;
  results.machine =
      fmt::format("{}, {} cores", cpu_name().value_or("unknown processor"), std::thread::hardware_concurrency());
  results.date = today();
  const std::string json_text = content_of(json_file);
  try {
    const nlohmann::json json = json_text.empty() ? nlohmann::json() : nlohmann::json::parse(json_text);
    for (const auto& [name, source] : run.values) results.values[name] = found(source, json, printed);
  } catch (const nlohmann::json::exception& error) {
    throw Failure(fmt::format("run {}: {}", run.id, error.what()), "do the pointers fit what the command writes?");
  }
  return results;
}

}  // namespace stagecraft::figures
