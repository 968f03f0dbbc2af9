/// @file
/// The tables of models and cards: counts that follow from shapes, and sources.
#include <cmath>
#include <set>

#include "kernels/check.h"
#include "stages/plan/gpu_table.h"
#include "stages/plan/model_table.h"
#include "stages/plan/published.h"
#include "tests/catch.h"

namespace stagecraft {
namespace {

constexpr double kBillion = 1e9;
constexpr int64_t kKiB = 1024, kBytes = 2;

const ModelShape& shape(const char* name) {
  const PublicModel* model = find_model(name);
  REQUIRE(model != nullptr);
  return model->shape;
}

TEST_CASE("parameters counted from a shape are those that its makers publish, within 2%", "[plan][tables]") {
  REQUIRE(all_models().size() >= 20);
  for (const PublicModel& model : all_models()) {
    const double counted = double(count_parameters(model.shape).total()) / kBillion;
    INFO(model.shape.name << ": " << counted << " billion");
    CHECK(std::abs(counted / model.published_billions - 1) < 0.02);
    CHECK_FALSE(model.source.empty());
  }
}

TEST_CASE("parameters are exact where the exact count is published", "[plan][tables]") {
  CHECK(count_parameters(shape("llama-3.1-8b")).total() == 8'030'261'248);
  CHECK(count_parameters(shape("mixtral-8x22b")).total() == 140'620'634'112);
}

TEST_CASE("a token meets only its own experts", "[plan][tables]") {
  CHECK(active_parameters(shape("mixtral-8x22b")) == 39'152'031'744);
  CHECK(double(active_parameters(shape("mixtral-8x7b"))) / kBillion == Approx(12.9).epsilon(0.01));
  CHECK(double(active_parameters(shape("qwen3-30b-a3b"))) / kBillion == Approx(3.3).epsilon(0.02));
  CHECK(double(active_parameters(shape("deepseek-v3"))) / kBillion == Approx(37).epsilon(0.02));
  CHECK(active_parameters(shape("llama-2-7b")) == count_parameters(shape("llama-2-7b")).total());
}

TEST_CASE("KV bytes of a token are the known ones", "[plan][tables]") {
  const auto kib = [](const char* name) { return kv_values(shape(name), 1) * kBytes / kKiB; };
  CHECK(kib("tinyllama-1.1b") == 22);
  CHECK(kib("qwen3-0.6b") == 112);
  CHECK(kib("llama-3.1-8b") == 128);
  CHECK(kib("mixtral-8x7b") == 128);
  CHECK(kib("llama-2-70b") == 320);
  CHECK(kib("llama-3.1-405b") == 504);
  CHECK(kib("llama-2-7b") == 512);
  CHECK(kib("llama-2-13b") == 800);
  CHECK(kv_values(shape("deepseek-v3"), 1) == 61 * (512 + 64));
}

TEST_CASE("a window bounds what its layers keep", "[plan][tables]") {
  const int64_t per_layer = 2 * 8 * 64;
  CHECK(kv_values(shape("gpt-oss-20b"), 100) == per_layer * 24 * 100);
  CHECK(kv_values(shape("gpt-oss-20b"), 1000) == per_layer * (12 * 1000 + 12 * 128));
}

TEST_CASE("names are unique, and every card has a source and rates that can be true", "[plan][tables]") {
  std::set<std::string> names;
  for (const PublicModel& model : all_models()) CHECK(names.insert(model.shape.name).second);
  for (const Gpu& gpu : all_gpus()) {
    INFO(gpu.name);
    CHECK(names.insert(gpu.name).second);
    CHECK_FALSE(gpu.source.empty());
    // From the smallest card to the largest, a byte of bandwidth comes with some hundred FLOP.
    const double flop_per_byte = gpu.dense_tflops * 1e3 / gpu.bandwidth_gbs;
    CHECK(flop_per_byte > 70);
    CHECK(flop_per_byte < 450);
    CHECK(gpu.memory_gb >= 16);
    CHECK(gpu.memory_gb <= 192);
  }
}

TEST_CASE("an unknown card is refused with the names that are known", "[plan][tables]") {
  try {
    gpu_named("h100");
    FAIL("nothing was thrown");
  } catch (const BadInput& error) {
    CHECK(std::string(error.what()).find("'h100'") != std::string::npos);
    CHECK(error.hint().find("h100-sxm") != std::string::npos);
  }
}

TEST_CASE("published figures have sources, and those that set our constants are met", "[plan][published]") {
  std::set<std::string> engines;
  for (const PublishedSource& source : published_sources()) engines.insert(source.engine);
  std::set<std::string> set;
  for (const PublishedFigure& figure : published_figures()) {
    CHECK(engines.count(figure.engine) == 1);
    const double ratio = predicted_for(figure) / figure.published;
    INFO(figure.engine << " " << figure.model << " " << figure.gpus << ": " << ratio);
    CHECK(ratio > 0);
    if (figure.sets[0] == '\0') continue;
    CHECK(set.insert(figure.sets).second);
    CHECK(std::abs(ratio - 1) < 0.05);
  }
  CHECK(set.size() == 3);
  CHECK(published_text().find("gpt-fast") != std::string::npos);
}

}  // namespace
}  // namespace stagecraft
