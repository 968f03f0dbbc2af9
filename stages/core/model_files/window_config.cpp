/// @file
/// Four fields say together what the window is; transformers' reading of them is followed.
#include "stages/core/model_files/window_config.h"

#include <limits>
#include <optional>

#include "kernels/kernels.h"

namespace stagecraft {
namespace {

constexpr int kMistralWindow = 4096;  // what transformers assumes where a Mistral config has no such field
constexpr const char* kSliding = "sliding_attention";
constexpr const char* kFull = "full_attention";
constexpr const char* kMixed = "models that mix sliding and full attention are not supported";

int window_size(const JsonField& field) { return int(field.positive_integer(std::numeric_limits<int>::max())); }

/// The window of those layers that have one.
int configured_window(const JsonField& config, const Architecture& architecture) {
  const auto size = config.find("sliding_window");
  switch (architecture.window) {
    case WindowRule::never:
      if (size) size->fail(fmt::format("must be absent or null: {} has no sliding window", architecture.name));
      return kNoWindow;
    case WindowRule::size:
      if (!config.object().contains("sliding_window")) return kMistralWindow;
      return size ? window_size(*size) : kNoWindow;
    case WindowRule::switched:
      if (!config.boolean_or("use_sliding_window", false)) return kNoWindow;
      return window_size(config.at("sliding_window"));
  }
  return kNoWindow;
}

/// What layer_types says: true if all layers slide, false if none does; nothing if there is no such field.
std::optional<bool> all_layers_slide(const JsonField& config, int layers) {
  const auto types = config.find("layer_types");
  if (!types) return std::nullopt;
  if (types->array().size() != size_t(layers))
    types->fail(fmt::format("must have one entry for each of {} layers", layers));
  for (size_t i = 0; i < size_t(layers); ++i) {
    const std::string& type = types->at(i).text();
    if (type != kSliding && type != kFull) types->at(i).fail(fmt::format("must be \"{}\" or \"{}\"", kFull, kSliding));
    if (type != types->at(size_t(0)).text()) types->at(i).fail("must be the same for all layers", kMixed);
  }
  return types->at(size_t(0)).text() == kSliding;
}

}  // namespace

int read_window(const JsonField& config, const Architecture& architecture, int layers) {
  const int window = configured_window(config, architecture);
  const bool switched = architecture.window == WindowRule::switched;
  if (const auto slide = all_layers_slide(config, layers)) {
    if (*slide == (window != kNoWindow)) return window;
    if (!*slide && switched) return kNoWindow;  // here layer_types goes before the older fields
    config.at("layer_types")
        .fail(fmt::format("must agree with the sliding window ({})",
                          window == kNoWindow ? "none" : fmt::format("{} tokens", window)));
  }
  if (!switched || window == kNoWindow) return window;

  const JsonField first = config.at("max_window_layers");  // layers from this one on slide
  const int64_t first_sliding = first.integer(0);
  if (first_sliding >= layers) return kNoWindow;
  if (first_sliding > 0) first.fail(fmt::format("must be 0 or at least the number of layers, {}", layers), kMixed);
  return window;
}

}  // namespace stagecraft
