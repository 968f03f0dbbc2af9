#pragma once
/// @file
/// The options that all six programs share, read and checked before anything else happens. What cannot be honoured is
/// refused: unknown options, values out of range, options that contradict each other.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/number_types.h"
#include "stages/core/metrics.h"
#include "stages/core/request.h"

namespace CLI {
class App;
}

namespace stagecraft {

/// How a stage introduces itself.
struct StageInfo {
  int number;                // 1 to 6
  std::string_view name;     // as in its report: "naive"
  std::string_view program;  // "stage1_naive"
  std::string_view idea;     // one sentence for --help
};

/// A file name that means standard output, where an option says that it may.
inline constexpr std::string_view kStandardOutput = "-";

/// What the user asked for. Paths that were not given are empty.
struct Options {
  std::filesystem::path model;
  std::string device = "auto";
  int threads = 1;
  NumberType kv_type = NumberType::bf16;

  std::vector<std::string> prompts;         // at most one of these three is given
  std::filesystem::path prompts_file;       //
  std::optional<std::vector<TokenId>> ids;  //
  int64_t max_tokens = 0;
  SamplingParams sampling;
  std::vector<std::string> stop;
  bool ignore_end_of_text = false;

  std::filesystem::path json, trace, report, logits;
  MachineLimits limits;

  std::vector<std::string> notes;  // for people: what was asked for and has no effect

  bool json_to_standard_output() const { return json == kStandardOutput; }
};

class CommandLine {
 public:
  explicit CommandLine(const StageInfo& stage);
  ~CommandLine();

  /// For options of one stage; add them before parse.
  CLI::App& app() { return *app_; }

  /// Returns empty after it has printed the help that was asked for. Throws BadInput for what is wrong.
  std::optional<Options> parse(int argc, const char* const* argv);

 private:
  struct Texts;  // the values as they were written
  std::unique_ptr<Texts> texts_;
  std::unique_ptr<CLI::App> app_;
};

/// The folder that `--model` names if it is not given: tales-5m of the source tree, or else of the current folder.
std::filesystem::path default_model();

}  // namespace stagecraft
