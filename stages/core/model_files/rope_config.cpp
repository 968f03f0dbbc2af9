/// @file
/// RoPE's fields, as transformers reads them. A field that is unknown here may change the arithmetic, so it is refused.
#include "stages/core/model_files/rope_config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>

namespace stagecraft {
namespace {

using Kind = RopeConfig::Kind;

constexpr double kDefaultTheta = 10000.0;
constexpr double kLargestTheta = 1e15;
constexpr double kLargestFactor = 1e6;
constexpr int64_t kLargestContext = int64_t(1) << 30;

struct KindFields {
  std::string_view name;
  Kind kind;
  std::span<const std::string_view> fields;  // besides those that every kind may have
};

constexpr std::array<std::string_view, 5> kCommonFields{"rope_type", "type", "rope_theta", "partial_rotary_factor",
                                                        "original_max_position_embeddings"};
constexpr std::array<std::string_view, 1> kLinearFields{"factor"};
constexpr std::array<std::string_view, 3> kLlama3Fields{"factor", "low_freq_factor", "high_freq_factor"};
constexpr std::array<std::string_view, 7> kYarnFields{"factor", "attention_factor", "beta_fast", "beta_slow",
                                                      "mscale", "mscale_all_dim",   "truncate"};
constexpr std::array<KindFields, 4> kKinds{{{"default", Kind::plain, {}},
                                            {"linear", Kind::linear, kLinearFields},
                                            {"llama3", Kind::llama3, kLlama3Fields},
                                            {"yarn", Kind::yarn, kYarnFields}}};

/// A number in (above, most].
double number_in(const JsonField& field, double above, double most) {
  const double value = field.number();
  if (!(value > above && value <= most)) field.fail(fmt::format("must be above {} and at most {}", above, most));
  return value;
}

double number_in_or(const JsonField& section, const std::string& key, double above, double most, double otherwise) {
  const auto field = section.find(key);
  return field ? number_in(*field, above, most) : otherwise;
}

/// rope_parameters or rope_scaling; nothing if neither is there.
std::optional<JsonField> rope_section(const JsonField& config) {
  const auto parameters = config.find("rope_parameters"), scaling = config.find("rope_scaling");
  if (parameters && scaling && parameters->value() != scaling->value()) {
    scaling->fail("must equal rope_parameters or be absent", "keep the one that the model was trained with");
  }
  return parameters ? parameters : scaling;
}

double read_theta(const JsonField& config, const std::optional<JsonField>& section) {
  const auto outer = config.find("rope_theta");
  const auto inner = section ? section->find("rope_theta") : std::nullopt;
  if (outer && inner && outer->number() != inner->number()) {
    inner->fail(fmt::format("must equal the field \"rope_theta\", {}", outer->number()));
  }
  const auto& theta = inner ? inner : outer;
  return theta ? number_in(*theta, 1.0, kLargestTheta) : kDefaultTheta;
}

const KindFields& read_kind(const JsonField& section) {
  const auto newer = section.find("rope_type"), older = section.find("type");
  if (newer && older && newer->text() != older->text())
    older->fail(fmt::format("must equal rope_type, \"{}\"", newer->text()));
  const auto& name = newer ? newer : older;
  if (!name) return kKinds.front();
  const auto found =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const KindFields& known) { return known.name == name->text(); });
  if (found == kKinds.end()) {
    name->fail("must be default, linear, llama3 or yarn", "take a model whose rope type is one of these");
  }
  return *found;
}

void refuse_unknown_fields(const JsonField& section, const KindFields& kind) {
  const auto has = [](std::span<const std::string_view> fields, std::string_view key) {
    return std::find(fields.begin(), fields.end(), key) != fields.end();
  };
  for (const auto& [key, value] : section.object().items()) {
    if (value.is_null() || has(kCommonFields, key) || has(kind.fields, key)) continue;
    section.at(key).fail(fmt::format("must be absent: it is unknown for rope type \"{}\"", kind.name),
                         "if the field has no meaning for the model, remove it");
  }
}

void refuse_partial_rotation(const JsonField& section) {
  const auto share = section.find("partial_rotary_factor");
  if (share && share->number() != 1.0)
    share->fail("must be 1", "models that rotate only a part of each head are not supported");
}

/// Where YaRN makes attention sharper: 0.1 m ln(factor) + 1.
double yarn_scale(double factor, double multiplier) { return 0.1 * multiplier * std::log(factor) + 1.0; }

double yarn_attention_factor(const JsonField& section, double factor) {
  constexpr double kLargest = 1000;
  if (const auto given = section.find("attention_factor")) return number_in(*given, 0.0, kLargest);
  const auto multiplier = [&](const std::string& key) {
    const double value = section.number_or(key, 0.0);
    if (value < 0.0 || value > kLargest) section.at(key).fail(fmt::format("must be from 0 to {}", kLargest));
    return value;
  };
  const double some = multiplier("mscale"), all = multiplier("mscale_all_dim");
  if (some > 0.0 && all > 0.0) return yarn_scale(factor, some) / yarn_scale(factor, all);
  return yarn_scale(factor, 1.0);
}

void read_llama3(RopeConfig& rope, const JsonField& section) {
  rope.original_context = double(section.at("original_max_position_embeddings").positive_integer(kLargestContext));
  rope.low_frequency_factor = number_in(section.at("low_freq_factor"), 0.0, kLargestFactor);
  rope.high_frequency_factor = number_in(section.at("high_freq_factor"), rope.low_frequency_factor, kLargestFactor);
}

void read_yarn(RopeConfig& rope, const JsonField& section, int64_t context) {
  const auto original = section.find("original_max_position_embeddings");
  rope.original_context = double(original ? original->positive_integer(kLargestContext) : context);
  rope.beta_slow = number_in_or(section, "beta_slow", 0.0, kLargestFactor, rope.beta_slow);
  rope.beta_fast = number_in_or(section, "beta_fast", 0.0, kLargestFactor, rope.beta_fast);
  if (rope.beta_slow > rope.beta_fast) {
    section.fail(
        fmt::format("must have a beta_fast of at least beta_slow ({} and {})", rope.beta_fast, rope.beta_slow));
  }
  rope.whole_indices = section.boolean_or("truncate", true);
  rope.attention_factor = yarn_attention_factor(section, rope.factor);
}

}  // namespace

RopeConfig read_rope(const JsonField& config, int64_t context) {
  RopeConfig rope;
  refuse_partial_rotation(config);
  const auto section = rope_section(config);
  rope.theta = read_theta(config, section);
  if (!section) return rope;

  const KindFields& kind = read_kind(*section);
  refuse_unknown_fields(*section, kind);
  rope.kind = kind.kind;
  refuse_partial_rotation(*section);
  if (rope.kind == Kind::plain) return rope;
  const JsonField factor = section->at("factor");
  rope.factor = factor.number();
  if (rope.factor < 1.0 || rope.factor > kLargestFactor)
    factor.fail(fmt::format("must be from 1 to {}", kLargestFactor));
  if (rope.kind == Kind::llama3) read_llama3(rope, *section);
  if (rope.kind == Kind::yarn) read_yarn(rope, *section, context);
  return rope;
}

}  // namespace stagecraft
