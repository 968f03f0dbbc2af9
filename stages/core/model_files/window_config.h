#pragma once
/// @file
/// The sliding window: how many tokens back attention sees (Beltagy et al. 2020, arXiv 2004.05150; Mistral 7B).
#include "stages/core/json_fields.h"
#include "stages/core/model_files/architecture.h"

namespace stagecraft {

/// Tokens that a token sees, itself included; kNoWindow for all before it. Throws BadInput where layers would differ,
/// which the engine does not do, and where fields contradict each other.
int read_window(const JsonField& config, const Architecture& architecture, int layers);

}  // namespace stagecraft
