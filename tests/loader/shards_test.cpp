/// @file
/// Models in several files: the index is believed as little as a header.
#include "stages/core/model_files/shard_index.h"
#include "stages/core/weights.h"
#include "tests/loader/refusal.h"
#include "tests/model_folder.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

constexpr const char* kFirst = "model-00001-of-00002.safetensors";
constexpr const char* kSecond = "model-00002-of-00002.safetensors";

/// The tiny model in two shards: every other tensor in the second.
struct ShardedModel {
  TemporaryFolder folder;
  nlohmann::json index = {{"metadata", {{"total_size", 0}}}, {"weight_map", nlohmann::json::object()}};
  Tensors shards[2];

  ShardedModel() {
    size_t next = 0;
    for (const auto& [name, tensor] : random_tensors(tiny_config())) {
      shards[next][name] = tensor;
      index["weight_map"][name] = next == 0 ? kFirst : kSecond;
      next = 1 - next;
    }
  }

  ModelWeights load() const {
    write_file(folder.path() / "config.json", tiny_config().dump());
    write_file(folder.path() / "model.safetensors.index.json", index.dump());
    if (!shards[0].empty()) write_file(folder.path() / kFirst, safetensors_file(shards[0]));
    if (!shards[1].empty()) write_file(folder.path() / kSecond, safetensors_file(shards[1]));
    return load_weights(folder.path(), read_model_config(folder.path()));
  }
};

}  // namespace

TEST_CASE("a model in two shards loads like one file") {
  const ShardedModel model;
  const ModelWeights weights = model.load();
  CHECK(weights.files.size() == 2);
  CHECK(weights.parameters > 0);
  CHECK(weights.warnings.empty());
}

TEST_CASE("model.safetensors goes before an index") {
  ShardedModel model;
  write_file(model.folder.path() / "model.safetensors", safetensors_file(random_tensors(tiny_config())));
  model.shards[0].clear();  // the index alone would fail
  CHECK(model.load().files.size() == 1);
}

TEST_CASE("an absent shard is named") {
  ShardedModel model;
  model.shards[1].clear();
  require_refusal([&] { model.load(); }, {"model.safetensors.index.json", kSecond, "not in the folder"});
}

TEST_CASE("a tensor that its shard lacks is named") {
  ShardedModel model;
  const std::string moved = model.shards[1].begin()->first;
  model.shards[0][moved] = model.shards[1][moved];
  model.shards[1].erase(moved);
  require_refusal([&] { model.load(); }, {moved, kSecond, "does not hold"});
}

TEST_CASE("a tensor that the index does not name is missing") {
  ShardedModel model;
  model.index["weight_map"].erase("model.norm.weight");
  require_refusal([&] { model.load(); }, {"index.json", "model.norm.weight", "missing"});
}

TEST_CASE("a damaged shard is named") {
  const ShardedModel model;
  model.load();
  std::filesystem::resize_file(model.folder.path() / kSecond, 50);
  require_refusal([&] { load_weights(model.folder.path(), read_model_config(model.folder.path())); }, {kSecond});
}

TEST_CASE("a shard name that leads out of the folder is refused before anything is opened") {
  for (const char* name : {"../x.safetensors", "/etc/passwd", "a/b", "..", ".", "", "a\\b"}) {
    INFO(name);
    const std::string text = nlohmann::json{{"weight_map", {{"w", name}}}}.dump();
    require_refusal([&] { parse_shard_index(text, "index.json"); }, {"index.json", "weight_map.w", "plain name"});
  }
  require_refusal([] { parse_shard_index(R"({"weight_map":{"w":"a\u0000b"}})", "index.json"); }, {"plain name"});
  CHECK(parse_shard_index(R"({"weight_map":{"w":"..a"}})", "index.json").at("w") == "..a");  // dots alone are harmless
}

TEST_CASE("an index that is not one is refused") {
  require_refusal([] { parse_shard_index("{", "index.json"); }, {"index.json", "broken JSON"});
  require_refusal([] { parse_shard_index("{}", "index.json"); }, {"index.json", "weight_map", "missing"});
  require_refusal([] { parse_shard_index(R"({"weight_map":["w"]})", "index.json"); }, {"weight_map", "object"});
  require_refusal([] { parse_shard_index(R"({"weight_map":{"w":1}})", "index.json"); }, {"weight_map.w", "string"});
  require_refusal([] { parse_shard_index(R"({"weight_map":{"w":"a","w":"b"}})", "index.json"); }, {"\"w\"", "twice"});
}
