#pragma once
/// @file
/// The limits of this machine for --predict.
#include "stages/core/metrics.h"

namespace stagecraft {

/// `known`, and for what is missing a measurement of some tenths of a second by the loops of `bench`, on `threads`
/// threads of the processor.
MachineLimits with_measured_limits(const MachineLimits& known, int threads);

}  // namespace stagecraft
