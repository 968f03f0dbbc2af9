/// @file
/// The program as a user runs it, on the smallest model.
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "tests/catch.h"
#include "tests/model_folder.h"
#include "tests/stage1/child_process.h"

using namespace stagecraft::testing;
using Json = nlohmann::json;

namespace {

const std::vector<std::string> kSmall = {"--model",         STAGECRAFT_SOURCE_DIR "/models/tales-400k",
                                         "--device",        "cpu",
                                         "--threads",       "1",
                                         "--requests",      "5",
                                         "--prompt-tokens", "6",
                                         "--output-tokens", "7",
                                         "--batch",         "2"};

ProgramResult compare(std::vector<std::string> arguments) {
  return ChildProcess(STAGECRAFT_BINARY_DIR "/bin/compare", arguments).wait();
}

ProgramResult compare_small(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = kSmall;
  arguments.insert(arguments.end(), more.begin(), more.end());
  return compare(arguments);
}

std::string content_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("compare runs all stages, and table, JSON, trace and page agree that the outputs are equal",
          "[compare][program]") {
  const TemporaryFolder folder;
  const std::filesystem::path page = STAGECRAFT_BINARY_DIR "/compare_page.html";  // for the browser's test
  const ProgramResult result = compare_small({"--repeat", "2", "--json", (folder.path() / "c.json").string(), "--trace",
                                              (folder.path() / "c.trace").string(), "--report", page.string(),
                                              "--predict", "--read-bandwidth", "10", "--peak-gflops", "50"});
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  CHECK(result.output.find("outputs: the same tokens in all stages") != std::string::npos);
  CHECK(result.output.find("6 speculative_decoding") != std::string::npos);
  CHECK(result.output.find("prediction") != std::string::npos);

  const Json json = Json::parse(content_of(folder.path() / "c.json"));
  CHECK(json["outputs_equal"] == true);
  CHECK(json["repeat"] == 2);
  constexpr size_t kStages = 6, kBatchingStages = 4;
  REQUIRE(json["stages"].size() == kStages);
  for (size_t i = 0; i < kStages; ++i) {
    const Json& stage = json["stages"][i];
    CHECK(stage["stage"] == i + 1);
    REQUIRE(stage["requests"].size() == 5);
    for (size_t r = 0; r < 5; ++r) {
      CHECK(stage["requests"][r]["output_ids"] == json["stages"][0]["requests"][r]["output_ids"]);
    }
    CHECK(stage["ladder"]["ttft_p50_ms"]["median"] > 0.0);
    CHECK(stage["ladder"]["ttft_p50_ms"].contains("ratio_to_previous") == (i > 0));
    CHECK(stage["prediction"]["duration_ms"]["predicted"] > 0.0);
  }
  CHECK(json["stages"][0]["counts"]["tokens_recomputed"] > 0);
  CHECK(json["stages"][1]["counts"]["tokens_recomputed"] == 0);
  CHECK(json["stages"][2]["counts"].contains("padded_tokens"));
  CHECK_FALSE(json["stages"][3]["counts"].contains("padded_tokens"));
  CHECK(json["stages"][2]["ladder"]["kv_bytes_reserved_peak"]["change"] == "loss");
  CHECK(json["stages"][5]["counts"].contains("drafted"));
  CHECK(json["throughput_over_batch"].size() == 2 * kBatchingStages);

  const Json trace = Json::parse(content_of(folder.path() / "c.trace"));
  size_t processes = 0;
  for (const Json& event : trace["traceEvents"]) processes += event["name"] == "process_name" ? 1 : 0;
  CHECK(processes == kStages);
}

TEST_CASE("the page needs no network, knows both colour schemes and phones, and explains each chart",
          "[compare][program]") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "page.html").string();
  REQUIRE(compare_small({"--report", file, "--stages", "2,3", "--repeat", "1"}).exit_code == 0);
  const std::string page = content_of(file);
  for (const char* outside : {"http:", "https:", "<script", "<link", "src=", "url(", "@import"}) {
    INFO(outside);
    CHECK(page.find(outside) == std::string::npos);
  }
  CHECK(page.find("prefers-color-scheme: dark") != std::string::npos);
  CHECK(page.find("name=\"viewport\"") != std::string::npos);
  size_t charts = 0, titled = 0, tables = 0;
  for (size_t at = page.find("<svg "); at != std::string::npos; at = page.find("<svg ", at + 1)) {
    ++charts;
    const std::string head = page.substr(at, 300);
    titled += head.find("<title>") != std::string::npos && head.find("<desc>") != std::string::npos ? 1 : 0;
  }
  for (size_t at = page.find("<table"); at != std::string::npos; at = page.find("<table", at + 1)) ++tables;
  CHECK(charts == 4 + 1 + 2 + 2);
  CHECK(titled == charts);
  CHECK(tables == 1 + 1 + 1 + 2);
}

TEST_CASE("--json - is the only thing on standard output; the table goes to standard error", "[compare][program]") {
  const ProgramResult result = compare_small({"--json", "-", "--stages", "2,4", "--repeat", "1"});
  REQUIRE(result.exit_code == 0);
  CHECK(Json::parse(result.output)["stages"][1]["stage"] == 4);
  CHECK(result.errors.find("forward passes") != std::string::npos);
}

TEST_CASE("prompts can be compared too, drawn at a temperature", "[compare][program]") {
  const ProgramResult result = compare({"--model", STAGECRAFT_SOURCE_DIR "/models/tales-400k", "--device", "cpu",
                                        "--threads", "1", "--repeat", "1", "--prompt", "Once upon a time", "--prompt",
                                        "The old king", "--max-tokens", "9", "--temperature", "1.5"});
  INFO(result.errors);
  CHECK(result.exit_code == 0);
  CHECK(result.output.find("prompts: 2 requests") != std::string::npos);
}

TEST_CASE("bad usage and bad input end with 2 and a hint, before anything runs", "[compare][bad-input]") {
  const TemporaryFolder folder;
  write_file(folder.path() / "bad.csv", "arrival_s,prompt_tokens,output_tokens\n0,5,5\n1,zero,5\n");
  const std::string bad_csv = (folder.path() / "bad.csv").string();
  const std::string nowhere = (folder.path() / "no" / "such" / "folder.html").string();
  struct Wrong {
    std::vector<std::string> arguments;
    std::string message;
  };
  const std::vector<Wrong> all = {
      {{"--report", nowhere}, "--report"},
      {{"--json", nowhere}, "--json"},
      {{"--trace", nowhere}, "--trace"},
      {{"--stages", "1,9"}, "there is no stage 9"},
      {{"--stages", "3,2"}, "2 comes after 3"},
      {{"--repeat", "0"}, "--repeat"},
      {{"--batch", "0"}, "--batch"},
      {{"--token-budget", "0"}, "--token-budget"},
      {{"--workload", bad_csv}, "bad.csv"},
      {{"--workload", (folder.path() / "none.csv").string()}, "none.csv"},
      {{"--logits", (folder.path() / "l.npy").string()}, "--logits"},
      {{"--max-tokens", "5"}, "--max-tokens"},
      {{"--unknown"}, "--unknown"},
      {{"--model", nowhere}, "no folder"},
  };
  for (const Wrong& wrong : all) {
    std::vector<std::string> arguments = wrong.arguments;
    if (arguments.front() != "--model") {
      arguments.insert(arguments.end(), {"--model", STAGECRAFT_SOURCE_DIR "/models/tales-400k", "--device", "cpu"});
    }
    const ProgramResult result = compare(arguments);
    INFO(wrong.message << ": " << result.errors);
    CHECK(result.exit_code == 2);
    CHECK(result.errors.find(wrong.message) != std::string::npos);
    CHECK(result.errors.find("hint: ") != std::string::npos);
    CHECK(result.output.empty());
  }
}

TEST_CASE("requests that no stage can serve are named, exit code 2, and the others are compared",
          "[compare][bad-input]") {
  const TemporaryFolder folder;
  write_file(folder.path() / "long.csv", "arrival_s,prompt_tokens,output_tokens\n0,5,3\n0,5000,5\n0,4,2\n");
  const ProgramResult result =
      compare({"--model", STAGECRAFT_SOURCE_DIR "/models/tales-400k", "--device", "cpu", "--threads", "1", "--repeat",
               "1", "--workload", (folder.path() / "long.csv").string()});
  CHECK(result.exit_code == 2);
  CHECK(result.errors.find("the request was refused") != std::string::npos);
  CHECK(result.output.find("5 output tokens") != std::string::npos);
}
