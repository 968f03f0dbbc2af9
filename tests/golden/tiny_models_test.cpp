/// @file
/// One tiny random model for each kind of arithmetic, against an independent implementation. In them no K or V lies
/// near the middle between two bf16 numbers, so every right engine rounds alike and the bound can be tight.
#include <fstream>

#include <nlohmann/json.hpp>

#include "tests/catch.h"
#include "tests/golden/golden_model.h"

namespace stagecraft::golden {
namespace {

constexpr double kBound = 1e-5;

struct TinyCase {
  std::string name;
  std::vector<TokenId> ids, continuation;

  explicit TinyCase(const std::string& model) : name(model) {
    const nlohmann::json record = nlohmann::json::parse(std::ifstream(folder() / "logits" / (model + ".json")));
    ids = record.at("ids").get<std::vector<TokenId>>();
    continuation = record.at("continuation").get<std::vector<TokenId>>();
  }

  GoldenModel model(NumberType kv_type) const {
    return GoldenModel(folder() / "models" / name, kv_type, int64_t(ids.size() + continuation.size()));
  }

  NpyArray logits(const std::string& kind) const {
    return read_npy(folder() / "logits" / (name + "." + kind + ".npy"));
  }
};

std::string each_tiny_model() {
  return GENERATE(as<std::string>(), "llama", "llama-mha-untied-fp32", "llama3-rope-scaling", "llama-rope-linear",
                  "llama-fp16", "llama-sharded", "mistral", "qwen2", "qwen3", "qwen2-yarn");
}

}  // namespace

TEST_CASE("tiny models: logits of all positions equal the reference's, K and V in bf16", "[golden]") {
  const TinyCase tiny(each_tiny_model());
  INFO(tiny.name);
  CHECK(relative_error(tiny.model(NumberType::bf16).all_logits(tiny.ids), tiny.logits("contract").values) < kBound);
}

TEST_CASE("tiny models: logits equal the float64 reference's, K and V in fp32", "[golden]") {
  const TinyCase tiny(each_tiny_model());
  INFO(tiny.name);
  CHECK(relative_error(tiny.model(NumberType::fp32).all_logits(tiny.ids), tiny.logits("exact").values) < kBound);
}

TEST_CASE("tiny models: the greedy continuation of 32 tokens is the reference's", "[golden]") {
  const TinyCase tiny(each_tiny_model());
  INFO(tiny.name);
  CHECK(tiny.model(NumberType::bf16).continuation(tiny.ids, int(tiny.continuation.size())) == tiny.continuation);
}

TEST_CASE("negative control: K and V in the wrong type are far outside the bound", "[golden][control]") {
  const TinyCase tiny("llama");
  CHECK(relative_error(tiny.model(NumberType::fp32).all_logits(tiny.ids), tiny.logits("contract").values) >
        100 * kBound);
  CHECK(relative_error(tiny.model(NumberType::bf16).all_logits(tiny.ids), tiny.logits("exact").values) > 100 * kBound);
}

}  // namespace stagecraft::golden
