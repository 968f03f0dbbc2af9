#pragma once
/// @file
/// The fields of config.json that say how RoPE turns.
#include "stages/core/json_fields.h"
#include "stages/core/model_config.h"

namespace stagecraft {

/// Reads `rope_theta` with `rope_scaling`, or `rope_parameters` (their newer form); `context` is the model's. Throws
/// BadInput for a kind, or a field of a kind, that rope_table.h does not compute.
RopeConfig read_rope(const JsonField& config, int64_t context);

}  // namespace stagecraft
