#pragma once
/// @file
/// The files of --json, --trace, --report and --logits. They are opened before anything runs: a name that cannot be
/// written is bad usage, and should not be found out after an hour of work.
#include <fstream>
#include <functional>
#include <span>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "stages/core/run_report.h"

namespace stagecraft {

class ReportFiles {
 public:
  /// Opens, and empties, the files that `options` names. Throws BadInput if one cannot be written.
  explicit ReportFiles(const Options& options);

  /// How each report is made.
  struct Content {
    std::function<nlohmann::ordered_json()> json, trace;
    std::function<std::string()> html;
  };

  /// Makes and writes the reports that were asked for. Throws Failure if that fails.
  void write(const Content& content);
  /// The same for a run of one stage.
  void write(const RunReport& report);

  /// Writes --logits: (positions, vocabulary).
  void write_logits(std::span<const float> logits, int64_t vocabulary);

 private:
  struct File {
    std::string name;  // empty: not asked for
    std::ofstream stream;

    void open(const char* option, const std::filesystem::path& path);
    void write(const std::string& text);
  };

  bool json_to_standard_output_;
  File json_, trace_, html_, logits_;
};

}  // namespace stagecraft
