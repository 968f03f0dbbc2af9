/// @file
/// RoPE's fields in both spellings, each kind, and what is refused.
#include <cmath>

#include "stages/core/model_config.h"
#include "tests/loader/refusal.h"
#include "tests/model_folder.h"

using namespace stagecraft;
using namespace stagecraft::testing;
using Kind = RopeConfig::Kind;

namespace {

RopeConfig read(const nlohmann::json& changes) {
  nlohmann::json config = tiny_config();
  config.erase("rope_theta");
  config.update(changes);
  return parse_model_config(config.dump(), "config.json").rope;
}

RopeConfig read_scaling(const nlohmann::json& scaling) {
  return read({{"rope_theta", 5000.0}, {"rope_scaling", scaling}});
}

void refuse(const nlohmann::json& scaling, std::initializer_list<std::string_view> parts) {
  INFO(scaling.dump());
  require_refusal([&] { read_scaling(scaling); }, parts);
}

nlohmann::json llama3() {
  return {{"rope_type", "llama3"},
          {"factor", 8.0},
          {"low_freq_factor", 1.5},
          {"high_freq_factor", 4.5},
          {"original_max_position_embeddings", 32}};
}

nlohmann::json yarn() { return {{"type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 16}}; }

/// `fields` with one of them set to `value`.
nlohmann::json with(nlohmann::json fields, const std::string& key, const nlohmann::json& value) {
  fields[key] = value;
  return fields;
}

bool is_near(double value, double expected) { return std::abs(value - expected) < 1e-12; }

}  // namespace

TEST_CASE("theta is found in both spellings, and has a default") {
  CHECK(read({{"rope_theta", 5000.0}}).theta == 5000.0);
  CHECK(read({{"rope_theta", 5000}}).theta == 5000.0);
  CHECK(read({{"rope_parameters", {{"rope_theta", 7000.0}, {"rope_type", "default"}}}}).theta == 7000.0);
  CHECK(read({{"rope_theta", 7000.0}, {"rope_parameters", {{"rope_theta", 7000.0}}}}).theta == 7000.0);
  CHECK(read({{"rope_theta", 7000.0}, {"rope_parameters", {{"rope_type", "default"}}}}).theta == 7000.0);
  CHECK(read(nlohmann::json::object()).theta == 10000.0);
}

TEST_CASE("the kind is found under rope_type and type") {
  CHECK(read_scaling(nullptr).kind == Kind::plain);
  CHECK(read_scaling({{"type", "default"}}).kind == Kind::plain);
  for (const char* key : {"rope_type", "type"}) {
    const RopeConfig rope = read_scaling({{key, "linear"}, {"factor", 4.0}});
    CHECK(rope.kind == Kind::linear);
    CHECK(rope.factor == 4.0);
    CHECK(rope.theta == 5000.0);
    CHECK(rope.attention_factor == 1.0);
  }
  CHECK(read_scaling({{"rope_type", "linear"}, {"type", "linear"}, {"factor", 1}}).kind == Kind::linear);
}

TEST_CASE("llama3's fields are read") {
  const RopeConfig rope = read_scaling(llama3());
  CHECK(rope.kind == Kind::llama3);
  CHECK(rope.factor == 8.0);
  CHECK(rope.low_frequency_factor == 1.5);
  CHECK(rope.high_frequency_factor == 4.5);
  CHECK(rope.original_context == 32.0);
}

TEST_CASE("yarn's fields are read, with transformers' defaults") {
  const RopeConfig plain = read_scaling(yarn());
  CHECK(plain.kind == Kind::yarn);
  CHECK(plain.beta_fast == 32.0);
  CHECK(plain.beta_slow == 1.0);
  CHECK(plain.whole_indices);
  CHECK(plain.original_context == 16.0);
  CHECK(is_near(plain.attention_factor, 0.1 * std::log(4.0) + 1.0));

  nlohmann::json all = yarn();
  all.update({{"beta_fast", 16}, {"beta_slow", 2}, {"truncate", false}, {"attention_factor", 1.25}});
  const RopeConfig given = read_scaling(all);
  CHECK(given.beta_fast == 16.0);
  CHECK(given.beta_slow == 2.0);
  CHECK_FALSE(given.whole_indices);
  CHECK(given.attention_factor == 1.25);

  nlohmann::json bare = yarn();
  bare.erase("original_max_position_embeddings");
  CHECK(read_scaling(bare).original_context == 64.0);  // max_position_embeddings
}

TEST_CASE("yarn's mscale pair gives a ratio, one of the two alone nothing") {
  nlohmann::json both = yarn();
  both.update({{"mscale", 1.0}, {"mscale_all_dim", 0.5}});
  CHECK(is_near(read_scaling(both).attention_factor, (0.1 * std::log(4.0) + 1.0) / (0.05 * std::log(4.0) + 1.0)));
  CHECK(is_near(read_scaling(with(yarn(), "mscale", 0.5)).attention_factor, 0.1 * std::log(4.0) + 1.0));
}

TEST_CASE("a factor of 1 leaves yarn's attention as it is") {
  CHECK(read_scaling(with(yarn(), "factor", 1)).attention_factor == 1.0);
}

TEST_CASE("kinds that we do not have are refused by name, under either key") {
  for (const char* kind : {"dynamic", "longrope", "su", "mrope", "ntk", ""}) {
    refuse({{"rope_type", kind}, {"factor", 2.0}}, {"rope_scaling.rope_type", kind, "default, linear, llama3 or yarn"});
    refuse({{"type", kind}, {"factor", 2.0}}, {"rope_scaling.type", kind});
  }
  refuse({{"rope_type", "default"}, {"type", "mrope"}}, {"rope_scaling.type", "mrope"});
  refuse({{"rope_type", 3}}, {"rope_scaling.rope_type", "3"});
  refuse("linear", {"rope_scaling", "object"});
}

TEST_CASE("a field that is unknown for its kind is refused, null passes") {
  refuse({{"rope_type", "default"}, {"mrope_section", {16, 24, 24}}}, {"mrope_section", "default"});
  refuse(with(yarn(), "short_factor", 1.0), {"short_factor", "yarn"});
  refuse({{"factor", 8.0}}, {"rope_scaling.factor", "default"});  // no kind named: default, which has no factor
  CHECK(read_scaling(with(yarn(), "short_factor", nullptr)).kind == Kind::yarn);
}

TEST_CASE("fields that are missing or out of range are refused") {
  refuse({{"rope_type", "linear"}}, {"rope_scaling.factor", "missing"});
  for (const nlohmann::json& factor :
       {nlohmann::json(0.5), nlohmann::json(-4.0), nlohmann::json(1e30), nlohmann::json("4")}) {
    refuse({{"rope_type", "linear"}, {"factor", factor}}, {"rope_scaling.factor"});
  }
  for (const char* field : {"low_freq_factor", "high_freq_factor", "original_max_position_embeddings"}) {
    nlohmann::json lacking = llama3();
    lacking.erase(field);
    refuse(lacking, {field, "missing"});
    refuse(with(llama3(), field, 0), {field, "0"});
  }
  refuse(with(llama3(), "high_freq_factor", 1.5), {"high_freq_factor", "1.5"});  // equal to the low one: an empty band
  refuse(with(yarn(), "beta_slow", 33), {"beta_slow", "33"});
  refuse(with(yarn(), "beta_fast", -1), {"beta_fast", "-1"});
  refuse(with(yarn(), "attention_factor", -1.0), {"attention_factor", "-1"});
  refuse(with(yarn(), "mscale", -1.0), {"mscale", "-1"});
  refuse(with(yarn(), "truncate", 1), {"truncate", "1"});
  refuse(with(yarn(), "partial_rotary_factor", 0.5), {"partial_rotary_factor", "0.5"});
}

TEST_CASE("theta out of range or told twice differently is refused") {
  const auto refuse_theta = [](const nlohmann::json& changes, std::initializer_list<std::string_view> parts) {
    require_refusal([&] { read(changes); }, parts);
  };
  refuse_theta({{"rope_theta", 1.0}}, {"rope_theta", "1.0"});  // all pairs would turn alike
  refuse_theta({{"rope_theta", -10000.0}}, {"rope_theta", "-10000"});
  refuse_theta({{"rope_theta", 1e300}}, {"rope_theta", "1e+300"});
  refuse_theta({{"rope_theta", 5000.0}, {"rope_parameters", {{"rope_theta", 7000.0}}}}, {"rope_theta", "5000", "7000"});
}

TEST_CASE("rope_scaling and rope_parameters may not disagree") {
  require_refusal(
      [&] {
        read({{"rope_scaling", yarn()}, {"rope_parameters", llama3()}});
      },
      {"rope_scaling", "rope_parameters"});
  CHECK(read({{"rope_scaling", yarn()}, {"rope_parameters", yarn()}}).kind == Kind::yarn);
}
