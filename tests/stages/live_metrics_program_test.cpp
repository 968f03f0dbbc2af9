/// @file
/// --metrics and the targets of goodput, as somebody who watches a service meets them.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/catch.h"
#include "tests/stage1/child_process.h"

using namespace stagecraft;
using namespace stagecraft::testing;
using nlohmann::json;

namespace {

ProgramResult run(const std::string& program, const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"--model",    STAGECRAFT_SOURCE_DIR "/models/tales-400k",
                                        "--device",   "cpu",
                                        "--threads",  "1",
                                        "--requests", "6",
                                        "--rate",     "0"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return ChildProcess(STAGECRAFT_BINARY_DIR "/bin/" + program, arguments).wait();
}

/// The value of the line that begins with `name`.
double value_of(const std::filesystem::path& file, const std::string& name) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(name + "{", 0) == 0) return std::stod(line.substr(line.rfind(' ')));
  }
  FAIL("there is no " << name);
  return 0;
}

}  // namespace

TEST_CASE("at the end the metrics say what the report says", "[stages][program][metrics]") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "m.prom", page = folder.path() / "m.html";
  const ProgramResult result = run("stage4_continuous_batching",
                                   {"--clock", "virtual", "--step-us", "1000", "--slo-ttft-ms", "2.5", "--max-running",
                                    "2", "--metrics", file.string(), "--report", page.string(), "--json", "-"});
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  const json report = json::parse(result.output);
  int64_t tokens = 0, met = 0;
  for (const json& request : report["requests"]) {
    tokens += int64_t(request["output_ids"].size());
    met += request["ttft_ms"] <= 2.5 ? 1 : 0;
  }
  CHECK(value_of(file, "vllm:generation_tokens_total") == double(tokens));
  CHECK(value_of(file, "stagecraft:forward_passes_total") == double(report["counts"]["forward_passes"]));
  CHECK(value_of(file, "vllm:time_to_first_token_seconds_count") == 6);
  CHECK(value_of(file, "vllm:num_requests_running") == 0);
  CHECK(value_of(file, "stagecraft:requests_within_slo_total") == double(met));
  // Two at a time, a millisecond a step: some are in time and some are not.
  CHECK(met > 0);
  CHECK(met < 6);
  CHECK(report["goodput"]["met"] == met);
  CHECK(report["goodput"]["requests"] == 6);
  CHECK_FALSE(report["goodput"].contains("tpot_target_ms"));
  CHECK(result.errors.find("goodput: ") != std::string::npos);
  std::ostringstream html;
  html << std::ifstream(page).rdbuf();
  CHECK(html.str().find("Over time") != std::string::npos);
}

TEST_CASE("without targets there is no goodput, and stages that do not serve have no such options",
          "[stages][program][metrics]") {
  const ProgramResult plain = run("stage4_continuous_batching", {"--json", "-"});
  REQUIRE(plain.exit_code == 0);
  CHECK_FALSE(json::parse(plain.output).contains("goodput"));
  CHECK(run("stage3_batching", {"--slo-ttft-ms", "5"}).exit_code == 2);
}

TEST_CASE("targets that are no times, and files that cannot be written, are refused", "[stages][program][metrics]") {
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
           {"--slo-ttft-ms", "soon"}, {"--slo-tpot-ms", "-1"}, {"--metrics", "/nowhere/m.prom"}}) {
    const ProgramResult result = run("stage4_continuous_batching", wrong);
    INFO(result.errors);
    CHECK(result.exit_code == 2);
    CHECK(result.errors.find(wrong[0]) != std::string::npos);
    CHECK(result.errors.find("hint:") != std::string::npos);
  }
}
