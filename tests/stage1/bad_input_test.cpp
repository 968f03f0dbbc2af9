/// @file
/// Everything a user can get wrong ends with exit code 2, one line that names it, a hint, and nothing on standard
/// output.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/catch.h"
#include "tests/stage1/child_process.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

void check_refused(const std::vector<std::string>& arguments, const std::string& named, const std::string& input = "") {
  const ProgramResult result = stage1(arguments, input);
  INFO("looking for '" << named << "' in: " << result.errors);
  CHECK(result.exit_code == 2);
  CHECK(result.output.empty());
  const size_t first_line = result.errors.find('\n');
  REQUIRE(first_line != std::string::npos);
  CHECK(result.errors.starts_with("stage1_naive: error: "));
  CHECK(result.errors.find(named) < first_line);
  CHECK(result.errors.substr(first_line + 1).starts_with("hint: "));
  CHECK(std::count(result.errors.begin(), result.errors.end(), '\n') == 2);
}

/// A copy of a small model (vocabulary 320, context 512) that a test may damage.
class ModelCopy {
 public:
  ModelCopy() {
    std::filesystem::copy(STAGECRAFT_SOURCE_DIR "/tests/golden/models/llama", folder_.path(),
                          std::filesystem::copy_options::recursive);
  }
  std::string path() const { return folder_.path(); }
  std::filesystem::path file(const std::string& name) const { return folder_.path() / name; }
  std::string content(const std::string& name) const {
    std::ifstream stream(file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void replace(const std::string& name, const std::string& content) const { write_file(file(name), content); }
  void change_config(const std::string& field, const nlohmann::json& value) const {
    nlohmann::json config = nlohmann::json::parse(content("config.json"));
    config[field] = value;
    replace("config.json", config.dump());
  }
  void check_refused(const std::string& named) const {
    ::check_refused({"--model", path(), "--prompt", "Once", "--max-tokens", "2"}, named);
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("the small model runs as it is: the cases below fail because of what they change", "[stage1][control]") {
  const ModelCopy model;
  CHECK(stage1({"--model", model.path(), "--prompt", "Once", "--max-tokens", "2"}).exit_code == 0);
}

TEST_CASE("options that are unknown, contradict each other or are out of range", "[stage1][bad input]") {
  check_refused({"--frobnicate"}, "--frobnicate");
  check_refused({"--prompt", "a", "--ids", "1"}, "--ids");
  check_refused({"--prompt", "a", "--temperature", "-1"}, "--temperature");
  check_refused({"--prompt", "a", "--temperature", "nan"}, "--temperature");
  check_refused({"--prompt", "a", "--top-p", "0"}, "--top-p");
  check_refused({"--prompt", "a", "--threads", "0"}, "--threads");
  check_refused({"--prompt", "a", "--kv-type", "int8"}, "--kv-type");
  check_refused({"--prompt", "a", "--device", "abacus"}, "abacus");
  check_refused({"--prompt", "a", "--json", "/nonexistent/r.json"}, "--json");
  check_refused({"--prompt", "a", "--prompt", "b", "--logits", "/tmp/unwritten.npy"}, "--logits");
}

TEST_CASE("prompts that cannot be run", "[stage1][bad input]") {
  check_refused({"--prompt", ""}, "--prompt");
  check_refused({}, "standard input", "");
  check_refused({"--prompt", "caf\xE9"}, "UTF-8");
  check_refused({}, "UTF-8", "caf\xE9");
  check_refused({"--ids", "2048"}, "2048");
  check_refused({"--ids", "-1"}, "-1");
  check_refused({"--prompts", "/nonexistent/prompts.txt"}, "/nonexistent/prompts.txt");
  std::string too_long = "1";
  for (int i = 0; i < 1024; ++i) too_long += ",1";
  check_refused({"--ids", too_long}, "1025 tokens");
}

TEST_CASE("a model folder, or a file of it, that is not there", "[stage1][bad input]") {
  check_refused({"--prompt", "a", "--model", "/nonexistent/model"}, "/nonexistent/model");
  for (const char* name : {"config.json", "model.safetensors", "tokenizer.json"}) {
    const ModelCopy model;
    std::filesystem::remove(model.file(name));
    model.check_refused(name);
  }
}

TEST_CASE("weights that are cut off, or whose header is", "[stage1][bad input]") {
  const ModelCopy model;
  const std::string whole = model.content("model.safetensors");
  for (const size_t kept : {size_t(0), size_t(7), size_t(100), whole.size() - 1}) {
    INFO("kept " << kept << " of " << whole.size() << " bytes");
    model.replace("model.safetensors", whole.substr(0, kept));
    model.check_refused("model.safetensors");
  }
  model.replace("model.safetensors", "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F" + whole.substr(8));
  model.check_refused("model.safetensors");
}

TEST_CASE("JSON that is broken", "[stage1][bad input]") {
  for (const char* name : {"config.json", "tokenizer.json"}) {
    const ModelCopy model;
    const std::string whole = model.content(name);
    model.replace(name, whole.substr(0, whole.size() / 2));
    model.check_refused(name);
    model.replace(name, "[]");
    model.check_refused(name);
  }
}

TEST_CASE("a configuration that asks for arithmetic we do not have, or does not fit the weights",
          "[stage1][bad input]") {
  const auto refused = [](const std::string& field, const nlohmann::json& value, const std::string& named) {
    const ModelCopy model;
    model.change_config(field, value);
    model.check_refused(named);
  };
  refused("architectures", nlohmann::json::array({"GPT2LMHeadModel"}), "GPT2LMHeadModel");
  refused("hidden_act", "relu", "relu");
  refused("num_hidden_layers", 3, "layers.2");
  refused("intermediate_size", 96, "mlp");
  refused("num_attention_heads", 0, "num_attention_heads");
}

TEST_CASE("a tokenizer of another model", "[stage1][bad input]") {
  const ModelCopy model;
  std::filesystem::copy_file(STAGECRAFT_SOURCE_DIR "/models/tales-5m/tokenizer.json", model.file("tokenizer.json"),
                             std::filesystem::copy_options::overwrite_existing);
  model.check_refused("2048");
}

TEST_CASE("NaN weights are warned of before, and end the run as a failure with a hint", "[stage1][bad input]") {
  const ModelCopy model;
  std::string weights = model.content("model.safetensors");
  // The last element of the last tensor in the file becomes a bf16 NaN.
  weights[weights.size() - 1] = '\x7F';
  weights[weights.size() - 2] = '\xFF';
  model.replace("model.safetensors", weights);
  const ProgramResult result = stage1({"--model", model.path(), "--prompt", "Once", "--max-tokens", "2"});
  INFO(result.errors);
  CHECK(result.errors.find("warning: ") != std::string::npos);
  CHECK(result.errors.find("NaN") != std::string::npos);
  CHECK((result.exit_code == 0 || result.exit_code == 1));
}
