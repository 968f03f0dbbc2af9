/// @file
/// plan as a user runs it.
#include <cmath>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "tests/catch.h"
#include "tests/model_folder.h"
#include "tests/sanitized.h"
#include "tests/stage1/child_process.h"

using namespace stagecraft::testing;
using Json = nlohmann::json;

namespace {

const std::string kTales = STAGECRAFT_SOURCE_DIR "/models/tales-400k";

ProgramResult plan(const std::vector<std::string>& arguments) {
  return ChildProcess(STAGECRAFT_BINARY_DIR "/bin/plan", arguments).wait();
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a plan as text, JSON and page", "[plan][program]") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "plan.json").string();
  const std::string page = STAGECRAFT_BINARY_DIR "/plan_page.html";  // for the browser's test
  const ProgramResult result = plan(
      {"--model",     "llama-3.1-8b", "--gpu",        "h100-sxm", "--prompt-tokens", "1000", "--output-tokens",  "200",
       "--tpot-ms",   "50",           "--rate",       "20",       "--peak-to-mean",  "2",    "--price-per-hour", "2.5",
       "--api-input", "0.2",          "--api-output", "0.6",      "--agent-steps",   "20",   "--agent-window",   "6000",
       "--json",      file,           "--report",     page});
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  for (const char* part : {"memory of a replica", "within the targets", "a million output tokens", "without GQA",
                           "trimming beats half price", "assumed"}) {
    CHECK(contains(result.output, part));
  }
  const Json json = Json::parse(std::ifstream(file));
  CHECK(json["model"]["parameters"] == 8'030'261'248);
  CHECK(json["memory_bytes"]["weights"] == 2 * 8'030'261'248);
  int64_t sum = 0;
  for (const char* part : {"weights", "activations", "left_out", "kv_room"}) sum += int64_t(json["memory_bytes"][part]);
  CHECK(sum == json["memory_bytes"]["total"]);
  CHECK(json["full"]["tpot_ms"] <= 50.0);
  CHECK(json["capacity"]["attainment"] >= 0.9);
  CHECK(json["sizing"]["gpus"] >= 1);
  CHECK(json["price_per_million_output_tokens"] > 0.0);
  CHECK(json["sweep"].size() > 5);
  CHECK(json["levers"].size() > 10);
  CHECK_FALSE(json["model"].contains("experts"));
  CHECK(json["api"]["chain"]["cached"]["price"] <= json["api"]["chain"]["whole"]["price"]);
  CHECK_FALSE(json["api"].contains("price_per_day"));

  std::ostringstream html;
  html << std::ifstream(page).rdbuf();
  CHECK(contains(html.str(), "<svg"));
  CHECK(contains(html.str(), "Levers"));
  CHECK_FALSE(contains(html.str(), "<script"));
}

TEST_CASE("a mixture of experts from a file, and a model that does not fit", "[plan][program]") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "config.json")
      << R"({"model_type": "mixtral", "hidden_size": 1024, "intermediate_size": 3584, "num_hidden_layers": 8,
             "num_attention_heads": 16, "num_key_value_heads": 4, "vocab_size": 32000, "max_position_embeddings": 8192,
             "num_local_experts": 8, "num_experts_per_tok": 2})";
  const ProgramResult small = plan({"--model", folder.path().string(), "--gpu", "l4", "--json", "-"});
  INFO(small.errors);
  REQUIRE(small.exit_code == 0);
  const Json json = Json::parse(small.output);
  CHECK(json["model"]["experts"] == 8);
  CHECK(json["model"]["active_parameters"] < json["model"]["parameters"]);
  CHECK(contains(small.errors, "experts"));

  const ProgramResult large = plan({"--model", "llama-3.1-70b", "--gpu", "l4", "--json", "-"});
  REQUIRE(large.exit_code == 0);
  CHECK_FALSE(Json::parse(large.output).contains("full"));
  CHECK_FALSE(Json::parse(large.output).contains("price_per_million_output_tokens"));
  CHECK(contains(large.errors, "does not fit"));
}

TEST_CASE("a trace says lengths, rate and peak", "[plan][program]") {
  const ProgramResult result =
      plan({"--model", "llama-3.1-8b", "--gpu", "h100-sxm", "--workload",
            STAGECRAFT_SOURCE_DIR "/workloads/azure2023_conversation_1000.csv", "--requests", "300", "--json", "-"});
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  const Json json = Json::parse(result.output);
  CHECK(json["demand"]["prompt_tokens"] > 500);
  CHECK(json["demand"]["requests_per_s"] > 1.0);
  CHECK(json["sizing"]["replicas"] >= 1);
}

TEST_CASE("an API alone needs no model", "[plan][program]") {
  const ProgramResult result =
      plan({"--api-input", "1", "--api-output", "4", "--prompt-tokens", "3000", "--output-tokens", "500",
            "--prefix-share", "0.4", "--api-cached", "0.1", "--requests-per-day", "10000", "--json", "-"});
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  const Json json = Json::parse(result.output);
  CHECK(json["api"]["price_per_day"] == Approx(10000 * 3920 / 1e6));
  CHECK_FALSE(json.contains("model"));
}

TEST_CASE("tables and published figures print with sources", "[plan][program]") {
  const ProgramResult list = plan({"--list"});
  CHECK(list.exit_code == 0);
  CHECK(contains(list.output, "deepseek-v3"));
  CHECK(contains(list.output, "not checked"));
  const ProgramResult published = plan({"--published"});
  CHECK(published.exit_code == 0);
  CHECK(contains(published.output, "sets our bandwidth efficiency"));
  CHECK(contains(published.output, "github.com/pytorch-labs/gpt-fast"));
}

TEST_CASE("what cannot be planned is refused with a hint, exit code 2", "[plan][program]") {
  struct Wrong {
    std::vector<std::string> arguments;
    const char* message;
  };
  const std::vector<Wrong> all = {
      {{}, "no --model"},
      {{"--model", "gpt-9", "--gpu", "l4"}, "'gpt-9' is neither"},
      {{"--model", "llama-3.1-8b"}, "--gpu"},
      {{"--model", "llama-3.1-8b", "--gpu", "h100"}, "'h100' is not in the table"},
      {{"--model", "llama-3.1-8b", "--gpu-memory", "80"}, "--gpu-bandwidth"},
      {{"--model", "llama-3.1-8b", "--gpu", "l4", "--gpus", "0"}, "--gpus"},
      {{"--model", "llama-3.1-8b", "--gpu", "l4", "--weights", "fp4"}, "fp4"},
      {{"--model", "llama-3.1-8b", "--gpu", "l4", "--prompt-tokens", "12x"}, "12x"},
      {{"--model", "llama-3.1-8b", "--gpu", "l4", "--prefix-share", "1.5"}, "--prefix-share"},
      {{"--model", "llama-2-7b", "--gpu", "l4", "--prompt-tokens", "5000"}, "longer than the context"},
      {{"--model", "llama-3.1-8b", "--gpu", "l4", "--workload", "nowhere.csv"}, "nowhere.csv"},
      {{"--model", "llama-3.1-8b", "--gpu", "l4", "--workload", "x.csv", "--longest", "9"}, "contradict"},
      {{"--model", kTales + "/tokenizer.json", "--gpu", "l4"}, "hidden_size"},
      {{"--api-input", "1"}, "--api-output"},
      {{"--requests-per-day", "5"}, "--api-input"},
      {{"--list", "--check"}, "contradict"},
      {{"--check", "--report", "x.html"}, "contradict"},
      {{"--threads", "2"}, "--check"},
      {{"--check", "--processor-time", "--threads", "2"}, "--threads 1"},
      {{"--model", "llama-3.1-8b", "--gpu", "l4", "--json", "/nowhere/plan.json"}, "/nowhere/plan.json"},
      {{"--unknown"}, "--unknown"},
  };
  for (const Wrong& wrong : all) {
    const ProgramResult result = plan(wrong.arguments);
    INFO(wrong.message << ": " << result.errors << result.output);
    CHECK(result.exit_code == 2);
    CHECK(contains(result.errors, wrong.message));
    CHECK(contains(result.errors, "hint:"));
    CHECK(result.output.empty());
  }
}

TEST_CASE("the check serves every batch and says how far off it was", "[plan][program]") {
  const ProgramResult result = plan({"--check", "--model", kTales, "--threads", "1", "--rounds", "1",
                                     "--processor-time", "--check-seconds", kSanitized ? "1" : "0.1", "--json", "-"});
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  CHECK(contains(result.errors, "largest error"));
  const Json json = Json::parse(result.output);
  REQUIRE(json["points"].size() >= 3);
  for (const Json& point : json["points"]) {
    for (const char* metric : {"ttft_ms", "tpot_ms"}) {
      CHECK(point[metric]["predicted"] > 0.0);
      CHECK(point[metric]["measured"] > 0.0);
      // How close it is depends on who else uses this machine; that it is of the right size does not.
      CHECK(std::abs(std::log(point[metric]["predicted"].get<double>() / point[metric]["measured"].get<double>())) <
            std::log(10.0));
    }
  }
}
