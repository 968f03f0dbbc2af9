/// @file
/// stage2_kv_cache, stage3_batching and stage4_continuous_batching as a user meets them.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/catch.h"
#include "tests/stage1/child_process.h"

using namespace stagecraft;
using namespace stagecraft::testing;
using nlohmann::json;

namespace {

const std::vector<std::string> kPrograms = {"stage2_kv_cache", "stage3_batching", "stage4_continuous_batching"};
const std::vector<std::string> kBatchPrograms = {"stage3_batching", "stage4_continuous_batching"};

std::string path_of(const std::string& program) { return STAGECRAFT_BINARY_DIR "/bin/" + program; }

std::vector<std::string> on_small_model(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(),
                   {"--model", STAGECRAFT_SOURCE_DIR "/models/tales-400k", "--device", "cpu", "--threads", "1"});
  return arguments;
}

ProgramResult run(const std::string& program, const std::vector<std::string>& arguments) {
  return ChildProcess(path_of(program), on_small_model(arguments)).wait();
}

json report_of(const std::string& program, std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  const ProgramResult result = run(program, arguments);
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  return json::parse(result.output);
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void check_refused(const std::string& program, const std::vector<std::string>& arguments, const std::string& named) {
  const ProgramResult result = run(program, arguments);
  INFO(program << ", looking for '" << named << "' in: " << result.errors);
  CHECK(result.exit_code == 2);
  CHECK(result.output.empty());
  CHECK(result.errors.starts_with(program + ": error: "));
  CHECK(contains(result.errors.substr(0, result.errors.find('\n')), named));
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("each program prints the text that stage 1 prints", "[stages][program][T5]") {
  for (const std::string temperature : {"0", "0.7", "1.5"}) {
    const std::vector<std::string> arguments = {
        "--prompt",  "Once upon a time", "--prompt", "The old king", "--prompt", "A", "--temperature",
        temperature, "--seed",           "5",        "--max-tokens", "24"};
    const std::string expected = run("stage1_naive", arguments).output;
    REQUIRE(contains(expected, "=== prompt 3 of 3 ==="));
    for (const std::string& program : kPrograms) CHECK(run(program, arguments).output == expected);
  }
}

TEST_CASE("--logits are the same bytes, however the stage cuts the prompt", "[stages][program][T3]") {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "logits.npy";
  const std::vector<std::string> arguments = {
      "--prompt", "Once upon a time there was a king who had three sons", "--max-tokens", "0", "--logits", file};
  REQUIRE(run("stage1_naive", arguments).exit_code == 0);
  const std::string expected = content_of(file);
  REQUIRE(expected.size() > 2048 * 4);
  for (const std::string& program : kPrograms) {
    REQUIRE(run(program, arguments).exit_code == 0);
    CHECK(content_of(file) == expected);
  }
  std::vector<std::string> in_chunks = arguments;
  in_chunks.insert(in_chunks.end(), {"--chunk", "3"});
  REQUIRE(run("stage4_continuous_batching", in_chunks).exit_code == 0);
  CHECK(content_of(file) == expected);
}

TEST_CASE("the report of each stage names it and obeys its laws", "[stages][program][counting]") {
  const std::vector<std::string> arguments = {"--prompt", "Once upon a time", "--prompt", "The", "--max-tokens",
                                              "9",        "--ignore-eos"};
  for (size_t i = 0; i < kPrograms.size(); ++i) {
    const json report = report_of(kPrograms[i], arguments);
    CHECK(report["stage"] == int(i) + 2);
    int64_t law = 0;
    for (const json& request : report["requests"]) law += int64_t(request["prompt_tokens"]) + 9 - 1;
    CHECK(report["counts"]["tokens_forwarded"] == law);
    CHECK(report["counts"]["tokens_recomputed"] == 0);
    CHECK(report["counts"]["forward_passes"] == (i == 0 ? 18 : 9));
    CHECK(report["counts"].contains("padded_tokens") == (i == 1));
    CHECK_FALSE(report["counts"].contains("drafted"));
    CHECK(report["requests"][0].contains("queue_ms"));
  }
}

TEST_CASE("stage 2 prints K/V bytes a token by the law, and what MHA and MQA would cost", "[stages][program]") {
  // tales-400k: 2 layers, 4 query heads, 2 K/V heads of 24 elements, bf16: 2 x 2 x 2 x 24 x 2 = 384
  const ProgramResult result = run("stage2_kv_cache", {"--prompt", "Once", "--max-tokens", "4"});
  for (const char* line : {"K/V bytes a token                     384", "K/V a token, MHA                      768",
                           "K/V a token, MQA                      192", "K/V a token, GQA                      384"}) {
    INFO(line << " in " << result.errors);
    CHECK(contains(result.errors, line));
  }
}

TEST_CASE("stage 3 sweeps batch sizes and shows the roofline, where the machine's limits are given",
          "[stages][program]") {
  const std::vector<std::string> arguments = {"--requests", "4", "--output-tokens", "6", "--batch", "4", "--sweep"};
  const ProgramResult without = run("stage3_batching", arguments);
  CHECK(contains(without.errors, "batch 1 "));
  CHECK(contains(without.errors, "batch 2 "));
  CHECK(contains(without.errors, "batch 4 "));
  CHECK_FALSE(contains(without.errors, "roofline"));
  std::vector<std::string> with_limits = arguments;
  with_limits.insert(with_limits.end(), {"--read-bandwidth", "10", "--peak-gflops", "100"});
  const ProgramResult with = run("stage3_batching", with_limits);
  CHECK(contains(with.errors, "roofline"));
  CHECK(contains(with.errors, "memory stops limiting"));
}

TEST_CASE("on the virtual clock every time is exact: two runs, one report", "[stages][program][virtual]") {
  for (const std::string& program : kBatchPrograms) {
    const std::vector<std::string> arguments = {"--requests", "12",      "--rate",    "300",
                                                "--clock",    "virtual", "--step-us", "2000"};
    const json first = report_of(program, arguments), second = report_of(program, arguments);
    CHECK(first["requests"] == second["requests"]);
    CHECK(first["totals"] == second["totals"]);
    CHECK(double(first["totals"]["duration_ms"]) >= 2.0 * double(first["counts"]["forward_passes"]));
  }
}

TEST_CASE("a trace is served: arrivals and lengths are those of the file", "[stages][program][workload]") {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "trace.csv";
  write_file(file, "arrival_s,prompt_tokens,output_tokens\n0,5,3\n0.010,40,2\n0.0105,7,4\n");
  for (const std::string& program : kBatchPrograms) {
    const json report = report_of(program, {"--workload", file, "--clock", "virtual", "--step-us", "1000"});
    REQUIRE(report["requests"].size() == 3);
    CHECK(report["requests"][1]["prompt_tokens"] == 40);
    CHECK(report["requests"][2]["output_ids"].size() == 4);
    CHECK(report["requests"][1]["queue_ms"] == 0.0);
    const bool joins = program == "stage4_continuous_batching";
    CHECK(report["requests"][2]["queue_ms"] == (joins ? 0.5 : 1.5));
  }
}

TEST_CASE("one bad request among several is refused, the others are served, and the exit code says so",
          "[stages][program][bad input]") {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "prompts.jsonl";
  write_file(file, "\"Once upon a time\"\n\"\"\n\"The old king\"\n");
  for (const std::string& program : kPrograms) {
    const ProgramResult result = run(program, {"--prompts", file, "--max-tokens", "5"});
    CHECK(result.exit_code == 2);
    CHECK(contains(result.errors, "prompts.jsonl:2: the prompt is empty"));
    const std::string once = run(program, {"--prompt", "Once upon a time", "--max-tokens", "5"}).output;
    const std::string king = run(program, {"--prompt", "The old king", "--max-tokens", "5"}).output;
    CHECK(result.output ==
          "=== prompt 1 of 3 ===\n" + once + "=== prompt 2 of 3 ===\n\n=== prompt 3 of 3 ===\n" + king);
  }
}

TEST_CASE("a request that can never fit is refused by name, and the others' results are in the report",
          "[stages][program][bad input]") {
  const TemporaryFolder folder;
  const std::string trace = folder.path() / "trace.csv", report_file = folder.path() / "r.json";
  write_file(trace, "arrival_s,prompt_tokens,output_tokens\n0,5,3\n0,900,200\n0,7,4\n");
  for (const std::string& program : kBatchPrograms) {
    const ProgramResult result = run(program, {"--workload", trace, "--json", report_file});
    CHECK(result.exit_code == 2);
    CHECK(contains(result.errors, "request 1: 900 prompt and 200 output tokens are longer than the model's context"));
    const json report = json::parse(content_of(report_file));
    CHECK(report["requests"][0]["output_ids"].size() == 3);
    CHECK(report["requests"][1]["finish_reason"] == "refused");
    CHECK(contains(report["requests"][1]["refusal"], "longer than the model's context"));
    CHECK_FALSE(report["requests"][0].contains("refusal"));
    CHECK(report["requests"][2]["output_ids"].size() == 4);
  }
  const ProgramResult limited =
      run("stage4_continuous_batching", {"--workload", trace, "--max-length", "8", "--json", report_file});
  CHECK(limited.exit_code == 2);
  CHECK(contains(limited.errors, "request 2: it needs room for 10 tokens"));
}

TEST_CASE("options that make no sense are refused by name", "[stages][program][bad input]") {
  check_refused("stage3_batching", {"--prompt", "a", "--batch", "0"}, "--batch");
  check_refused("stage4_continuous_batching", {"--prompt", "a", "--token-budget", "0"}, "--token-budget");
  check_refused("stage4_continuous_batching", {"--prompt", "a", "--chunk", "0"}, "--chunk");
  check_refused("stage4_continuous_batching", {"--prompt", "a", "--max-running", "-3"}, "--max-running");
  check_refused("stage4_continuous_batching", {"--prompt", "a", "--policy", "lottery"}, "lottery");
  check_refused("stage2_kv_cache", {"--prompt", "a", "--batch", "2"}, "--batch");
  for (const std::string& program : kPrograms) {
    check_refused(program, {"--prompt", "a", "--json", "/nonexistent/r.json"}, "--json");
    check_refused(program, {"--prompt", ""}, "--prompt");
  }
  for (const std::string& program : kBatchPrograms) {
    check_refused(program, {"--requests", "2", "--prompt", "a"}, "--prompt");
    check_refused(program, {"--requests", "2", "--max-tokens", "4"}, "--max-tokens");
    check_refused(program, {"--requests", "0"}, "--requests");
    check_refused(program, {"--requests", "2", "--output-tokens", "0"}, "--output-tokens");
    check_refused(program, {"--prompt", "a", "--rate", "3"}, "--rate");
    check_refused(program, {"--requests", "2", "--burstiness", "2"}, "--burstiness");
    check_refused(program, {"--requests", "2", "--shrink", "2"}, "--shrink");
    check_refused(program, {"--requests", "2", "--clock", "sundial"}, "sundial");
    check_refused(program, {"--requests", "2", "--clock", "virtual"}, "--clock virtual");
    check_refused(program, {"--requests", "2", "--step-us", "5"}, "--step-us");
    check_refused(program, {"--requests", "2", "--clock", "virtual", "--read-bandwidth", "10"}, "--peak-gflops");
  }
}

TEST_CASE("a malformed trace is refused with its line", "[stages][program][bad input]") {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "trace.csv";
  const std::string header = "arrival_s,prompt_tokens,output_tokens\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {header + "0,5,3\n1,five,3\n", "line 3"}, {header + "0,5,3\n1,5\n", "line 3"},
      {header + "2,5,3\n1,5,3\n", "line 3"},    {header + "-1,5,3\n", "line 2"},
      {header + "0,0,3\n", "line 2"},           {"when,what\n", "line 1"}};
  for (const std::string& program : kBatchPrograms) {
    for (const auto& [content, named] : cases) {
      write_file(file, content);
      check_refused(program, {"--workload", file}, named);
    }
    check_refused(program, {"--workload", "/nonexistent/trace.csv"}, "/nonexistent/trace.csv");
  }
}

TEST_CASE("Ctrl-C while it waits for an arrival ends the run and reports it", "[stages][program]") {
  const TemporaryFolder folder;
  const std::string trace = folder.path() / "trace.csv", report_file = folder.path() / "r.json";
  write_file(trace, "arrival_s,prompt_tokens,output_tokens\n0,5,3\n3600,5,3\n");
  for (const std::string& program : kBatchPrograms) {
    ChildProcess process(path_of(program), on_small_model({"--workload", trace, "--json", report_file}));
    for (int tries = 0; tries < 4000 && !contains(process.output_so_far(), "=== prompt 2 of 2 ==="); ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    process.send(SIGINT);
    CHECK(process.wait().exit_code == 130);
    const json report = json::parse(content_of(report_file));
    CHECK(report["requests"][0]["finish_reason"] == "length");
    CHECK(report["requests"][1]["finish_reason"] == "cancelled");
  }
}
