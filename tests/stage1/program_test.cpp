/// @file
/// stage1_naive as a user meets it: what it prints where, and its exit code.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "stages/core/counting_laws.h"
#include "stages/core/npy.h"
#include "tests/catch.h"
#include "tests/stage1/child_process.h"

using namespace stagecraft;
using namespace stagecraft::testing;
using nlohmann::json;

namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

json report_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  const ProgramResult result = stage1(arguments);
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  return json::parse(result.output);
}

/// Waits until the program has written at least `bytes`; gives up after some seconds.
void wait_for_output(const ChildProcess& process, size_t bytes) {
  constexpr auto kPause = std::chrono::milliseconds(5);
  for (int tries = 0; tries < 4000 && process.output_so_far().size() < bytes; ++tries)
    std::this_thread::sleep_for(kPause);
  REQUIRE(process.output_so_far().size() >= bytes);
}

}  // namespace

TEST_CASE("standard output is the text alone; the table is on standard error", "[stage1]") {
  const ProgramResult result = stage1({"--prompt", "Once upon a time", "--max-tokens", "8"});
  CHECK(result.exit_code == 0);
  CHECK(result.output == " a King came and said, \"I\n");
  for (const char* expected : {"stage 1 naive", "tales-5m", "cpu", "time to first token", "inter-token latency",
                               "tokens forwarded", "tokens recomputed", "recomputing"}) {
    INFO(expected);
    CHECK(result.errors.find(expected) != std::string::npos);
  }
}

TEST_CASE("--help is printed on standard output, with examples", "[stage1]") {
  const ProgramResult result = stage1({"--help"});
  CHECK(result.exit_code == 0);
  CHECK(result.output.find("examples:") != std::string::npos);
  CHECK(result.output.find("--kv-type") != std::string::npos);
  CHECK(result.errors.empty());
}

TEST_CASE("prompt as option, file, standard input, or ids: the same text", "[stage1]") {
  const std::string expected = stage1({"--prompt", "Once upon a time", "--max-tokens", "6"}).output;
  const TemporaryFolder folder;
  write_file(folder.path() / "p.txt", "Once upon a time\n");
  write_file(folder.path() / "p.jsonl", "\"Once upon a time\"\n");
  CHECK(stage1({"--prompts", folder.path() / "p.txt", "--max-tokens", "6"}).output == expected);
  CHECK(stage1({"--prompts", folder.path() / "p.jsonl", "--max-tokens", "6"}).output == expected);
  CHECK(stage1({"--max-tokens", "6"}, "Once upon a time\n").output == expected);
  CHECK(stage1({"--ids", "1887,345,672,259,563", "--max-tokens", "6"}).output == expected);
}

TEST_CASE("several prompts are printed one after the other, each under its heading", "[stage1]") {
  const std::string one = stage1({"--prompt", "Once", "--max-tokens", "5"}).output;
  const std::string two = stage1({"--prompt", "The old king", "--max-tokens", "5"}).output;
  const ProgramResult both = stage1({"--prompt", "Once", "--prompt", "The old king", "--max-tokens", "5"});
  CHECK(both.output == "=== prompt 1 of 2 ===\n" + one + "=== prompt 2 of 2 ===\n" + two);
}

TEST_CASE("--json: counts obey the counting law, times are in order, absent fields are absent", "[stage1][counting]") {
  const json report = report_of({"--prompt", "Once upon a time", "--prompt", "The", "--max-tokens", "9"});
  CHECK(report["stage"] == 1);
  CHECK(report["name"] == "naive");
  CHECK(report["model"]["architecture"] == "LlamaForCausalLM");
  CHECK(report["model"]["parameters"] == 4'951'296);
  CHECK(report["model"]["dtype"] == "bf16");
  int64_t law = 0, cached = 0;
  double queued_before = -1;
  for (const json& request : report["requests"]) {
    const int64_t prompt = request["prompt_tokens"], output = int64_t(request["output_ids"].size());
    law += naive_tokens_forwarded(prompt, output);
    cached += cached_tokens_forwarded(prompt, output);
    CHECK(output == 9);
    CHECK(request["finish_reason"] == "length");
    CHECK(double(request["queue_ms"]) > queued_before);  // the second waits for the first
    queued_before = request["queue_ms"];
    CHECK(double(request["ttft_ms"]) >= double(request["queue_ms"]));
    double end = request["ttft_ms"];
    for (const double gap : request["itl_ms"]) end += gap;
    CHECK(double(request["e2e_ms"]) == Approx(end));
    CHECK(double(request["tpot_ms"]) == Approx((end - double(request["ttft_ms"])) / 8));
    CHECK_FALSE(request.contains("preemptions"));
  }
  const json& counts = report["counts"];
  CHECK(counts["forward_passes"] == 18);
  CHECK(counts["tokens_forwarded"] == law);
  CHECK(counts["tokens_recomputed"] == law - cached);
  CHECK(int64_t(counts["weight_bytes_read"]) > 18 * 9'000'000);
  CHECK_FALSE(counts.contains("drafted"));
  CHECK(report["machine"]["read_bandwidth_gbs"].is_null());
  CHECK_FALSE(report["totals"].contains("mbu"));
}

TEST_CASE("with measured limits the report has MBU and MFU", "[stage1]") {
  const json report =
      report_of({"--prompt", "Once", "--max-tokens", "3", "--read-bandwidth", "20", "--peak-gflops", "150"});
  CHECK(report["machine"]["read_bandwidth_gbs"] == 20.0);
  CHECK(double(report["totals"]["mbu"]) > 0);
  CHECK(double(report["totals"]["mfu"]) > 0);
}

TEST_CASE("--json FILE, --trace and --report write their files and leave the text alone", "[stage1]") {
  const TemporaryFolder folder;
  const std::filesystem::path at = folder.path();
  const ProgramResult result = stage1({"--prompt", "Once upon a time", "--max-tokens", "8", "--json", at / "r.json",
                                       "--trace", at / "t.json", "--report", at / "r.html"});
  REQUIRE(result.exit_code == 0);
  CHECK(result.output == " a King came and said, \"I\n");
  const json report = json::parse(content_of(at / "r.json"));
  CHECK(std::string(report["requests"][0]["text"]) + "\n" == result.output);
  int passes = 0;
  const json trace = json::parse(content_of(at / "t.json"));
  for (const json& event : trace["traceEvents"]) passes += event["name"] == "forward";
  CHECK(passes == 8);
  CHECK(content_of(at / "r.html").find("</svg>") != std::string::npos);
}

TEST_CASE("--logits holds every prompt position, also when nothing is generated or the prompt fills the context",
          "[stage1]") {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "logits.npy";
  REQUIRE(stage1({"--ids", "1887,345,672", "--max-tokens", "0", "--logits", file}).exit_code == 0);
  CHECK(read_npy(file).shape == std::vector<int64_t>{3, 2048});
  REQUIRE(stage1({"--ids", "1887", "--max-tokens", "2", "--logits", file}).exit_code == 0);
  CHECK(read_npy(file).shape == std::vector<int64_t>{1, 2048});

  const std::string llama = STAGECRAFT_SOURCE_DIR "/tests/golden/models/llama";  // a context of 512
  std::string ids = "5";
  for (int i = 1; i < 512; ++i) ids += ",7";
  REQUIRE(stage1({"--model", llama, "--ids", ids, "--logits", file}).exit_code == 0);
  CHECK(read_npy(file).shape == std::vector<int64_t>{512, 320});
}

TEST_CASE("generation ends at the model's context, by length, and says so", "[stage1]") {
  const std::string llama = STAGECRAFT_SOURCE_DIR "/tests/golden/models/llama";
  std::string ids = "5";
  for (int i = 1; i < 509; ++i) ids += ",7";
  const ProgramResult result =
      stage1({"--model", llama, "--ids", ids, "--max-tokens", "100", "--ignore-eos", "--json", "-"});
  REQUIRE(result.exit_code == 0);
  CHECK(result.errors.find("context of 512") != std::string::npos);
  const json request = json::parse(result.output)["requests"][0];
  CHECK(request["output_ids"].size() == 3);
  CHECK(request["finish_reason"] == "length");
}

TEST_CASE("a stop text across tokens ends the text before it", "[stage1][stop]") {
  // " a King came and said, ..." where "came and" are two tokens
  const ProgramResult result = stage1({"--prompt", "Once upon a time", "--max-tokens", "20", "--stop", "me an"});
  CHECK(result.output == " a King ca\n");
  const json report = report_of({"--prompt", "Once upon a time", "--max-tokens", "20", "--stop", "me an"});
  CHECK(report["requests"][0]["finish_reason"] == "stop");
  CHECK(report["requests"][0]["text"] == " a King ca");
}

TEST_CASE("Ctrl-C ends a run between two tokens, reports what was measured, and exits with 130", "[stage1]") {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "r.json";
  ChildProcess process(stage1_program(), {"--prompt", "Once upon a time", "--prompt", "The", "--max-tokens", "900",
                                          "--ignore-eos", "--json", file});
  wait_for_output(process, 40);
  process.send(SIGINT);
  const ProgramResult result = process.wait();
  CHECK(result.exit_code == 130);
  CHECK(result.errors.find("inter-token latency") != std::string::npos);
  const json report = json::parse(content_of(file));
  CHECK(report["requests"][0]["finish_reason"] == "cancelled");
  CHECK(report["requests"][0]["output_ids"].size() > 1);
  CHECK(report["requests"][1]["finish_reason"] == "cancelled");
  CHECK(report["requests"][1]["output_ids"].empty());
  CHECK(report["counts"]["forward_passes"] == report["requests"][0]["output_ids"].size());
}

TEST_CASE("a reader that closes the pipe ends the run quietly, long before it is done", "[stage1]") {
  const TemporaryFolder folder;
  const std::string errors = folder.path() / "errors", report = folder.path() / "r.json";
  const std::string command = "set -o pipefail; " + stage1_program() +
                              " --prompt 'Once upon a time' --max-tokens 900 --ignore-eos --json " + report + " 2> " +
                              errors + " | head -c 10 > /dev/null";
  const int status = std::system(("bash -c \"" + command + "\"").c_str());
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(content_of(errors).find("error") == std::string::npos);
  CHECK(json::parse(content_of(report))["requests"][0]["output_ids"].size() < 800);
}

TEST_CASE("standard output that cannot be written is a failure, exit 1", "[stage1]") {
  const std::string command = stage1_program() + " --prompt Once --max-tokens 3 > /dev/full 2> /dev/null";
  const int status = std::system(command.c_str());
  CHECK(WEXITSTATUS(status) == 1);
}
