/// @file
/// Opening early, writing late.
#include "stages/core/report_files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/check.h"
#include "stages/core/html_report.h"
#include "stages/core/npy.h"
#include "stages/core/report_json.h"
#include "stages/core/trace.h"

namespace stagecraft {
namespace {

constexpr int kIndent = 2;

/// A model folder's name may hold any bytes; JSON may not.
std::string text_of(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', /*ensure_ascii=*/false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written || errno == EPIPE) return;  // a reader that has gone has seen what it wanted
  throw Failure(fmt::format("cannot write to standard output: {}", std::strerror(errno)), "is the disk full?");
}

}  // namespace

void ReportFiles::File::open(const char* option, const std::filesystem::path& path) {
  if (path.empty()) return;
  name = path.string();
  stream.open(path, std::ios::binary);
  if (stream) return;
  throw BadInput(fmt::format("{}: cannot write '{}': {}", option, name, std::strerror(errno)),
                 "name a file in a folder that exists and that you may write to");
}

void ReportFiles::File::write(const std::string& text) {
  if (name.empty()) return;
  stream << text;
  if (!stream.flush()) throw Failure(fmt::format("cannot write '{}'", name), "is the disk full?");
}

ReportFiles::ReportFiles(const Options& options) : json_to_standard_output_(options.json_to_standard_output()) {
  if (!json_to_standard_output_) json_.open("--json", options.json);
  trace_.open("--trace", options.trace);
  html_.open("--report", options.report);
  logits_.open("--logits", options.logits);
}

void ReportFiles::write(const Content& content) {
  if (json_to_standard_output_) print(text_of(content.json(), kIndent));
  if (!json_.name.empty()) json_.write(text_of(content.json(), kIndent));
  if (!trace_.name.empty()) trace_.write(text_of(content.trace(), /*indent=*/-1));
  if (!html_.name.empty()) html_.write(content.html());
}

void ReportFiles::write(const RunReport& report) {
  write({[&] { return report_json(report); },
         [&] {
           return trace_json({{std::string(report.stage.program), report.log}});
         },
         [&] { return html_report(report); }});
}

void ReportFiles::write_logits(std::span<const float> logits, int64_t vocabulary) {
  write_npy(logits_.stream, logits_.name, logits, {int64_t(logits.size()) / vocabulary, vocabulary});
}

}  // namespace stagecraft
