/// @file
/// Real prompts on trained models, against an independent implementation. Here a K or V may lie so near the middle
/// between two bf16 numbers that two right engines round it differently, so text may part ways at a close call: tokens
/// must be equal up to the first margin below `excuse_below`, and where the margin is larger, the arg max must agree
/// when the reference's own text is fed in (teacher forcing).
#include <cstdlib>
#include <fstream>
#include <iostream>

#include <nlohmann/json.hpp>

#include "tests/catch.h"
#include "tests/golden/golden_model.h"

namespace stagecraft::golden {
namespace {

constexpr double kContractBound = 1e-2;
constexpr double kExactBound = 1e-5;

nlohmann::json read_record(const std::string& name) {
  return nlohmann::json::parse(std::ifstream(folder() / name / "continuations.json"));
}

/// Room for the longest prompt and its continuation.
int64_t longest(const nlohmann::json& record) {
  size_t most = 0;
  for (const auto& prompt : record.at("prompts")) {
    most = std::max(most, prompt.at("ids").size() + prompt.at("continuation").size());
  }
  return int64_t(most);
}

/// The golden rows of the first prompts against the model's last logits of each.
void check_last_logits(GoldenModel& model, const nlohmann::json& record, const NpyArray& rows, double bound) {
  const size_t vocabulary = size_t(model.config().vocabulary);
  REQUIRE(rows.shape.size() == 2);
  REQUIRE(rows.shape[0] > 0);
  for (size_t i = 0; i < size_t(rows.shape[0]); ++i) {
    const auto& prompt = record.at("prompts").at(i);
    INFO(prompt.at("name"));
    const std::vector<float> golden(rows.values.begin() + int64_t(i * vocabulary),
                                    rows.values.begin() + int64_t((i + 1) * vocabulary));
    CHECK(relative_error(model.last_logits(prompt.at("ids").get<std::vector<TokenId>>()), golden) < bound);
  }
}

/// Wherever the reference's margin is clear, its token is the model's arg max after the reference's own text.
void check_teacher_forced(GoldenModel& model, const nlohmann::json& prompt, double excuse_below) {
  auto ids = prompt.at("ids").get<std::vector<TokenId>>();
  const auto continuation = prompt.at("continuation").get<std::vector<TokenId>>();
  const auto margins = prompt.at("margins").get<std::vector<double>>();
  const size_t start = ids.size() - 1;
  ids.insert(ids.end(), continuation.begin(), continuation.end() - 1);
  const std::vector<TokenId> best = model.greedy_at_each(ids);
  for (size_t i = 0; i < continuation.size(); ++i) {
    INFO("token " << i << " of " << continuation.size() << ", margin " << margins[i]);
    if (margins[i] >= excuse_below) CHECK(best[start + i] == continuation[i]);
  }
}

void check_continuations(GoldenModel& model, const nlohmann::json& record) {
  const double excuse_below = record.at("excuse_below").get<double>();
  for (const auto& prompt : record.at("prompts")) {
    INFO(prompt.at("name"));
    const auto expected = prompt.at("continuation").get<std::vector<TokenId>>();
    const auto strict = prompt.at("strict").get<int>();
    const auto mine = model.continuation(prompt.at("ids").get<std::vector<TokenId>>(), strict);
    CHECK(mine == std::vector<TokenId>(expected.begin(), expected.begin() + strict));
    check_teacher_forced(model, prompt, excuse_below);
  }
}

void check_prompts(const std::filesystem::path& model_folder, const std::string& golden_name) {
  const nlohmann::json record = read_record(golden_name);
  const std::filesystem::path rows = folder() / golden_name;
  {
    GoldenModel model(model_folder, NumberType::fp32, longest(record));
    check_last_logits(model, record, read_npy(rows / "last_logits.exact.npy"), kExactBound);
  }
  GoldenModel model(model_folder, NumberType::bf16, longest(record));
  check_last_logits(model, record, read_npy(rows / "last_logits.contract.npy"), kContractBound);
  check_continuations(model, record);
}

}  // namespace

TEST_CASE("the tales models say what the reference says", "[golden]") {
  const std::string name = GENERATE(as<std::string>(), "tales-5m", "tales-400k");
  INFO(name);
  check_prompts(std::filesystem::path(STAGECRAFT_SOURCE_DIR) / "models" / name, name);
}

TEST_CASE("SmolLM2 says what the reference says", "[.][smollm2]") {
  const char* given = std::getenv("STAGECRAFT_SMOLLM2");
  const std::filesystem::path model =
      given ? given : std::filesystem::path(STAGECRAFT_SOURCE_DIR) / "models" / "smollm2";
  if (!std::filesystem::exists(model / "model.safetensors")) {
    std::cout << "not run: no SmolLM2 folder at " << model
              << "; bring it with models/get_smollm2.py, or name it in STAGECRAFT_SMOLLM2\n";
    return;
  }
  check_prompts(model, "smollm2");
}

}  // namespace stagecraft::golden
