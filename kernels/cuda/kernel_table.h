#pragma once
/// @file
/// The tables of operations that the .cu files of this folder make: one a build (kernels/cuda/target.h).
#include <span>

#include "kernels/kernels.h"

namespace stagecraft {

/// One step of a ladder: a version of an operation, for benches and tests.
template <class Operation>
struct Version {
  const char* name;
  Operation run;
};

/// What one build of the kernels offers.
struct KernelSet {
  Kernels best;  // what the engine runs
  std::span<const Version<decltype(Kernels::linear)>> linear;
  std::span<const Version<decltype(Kernels::attention)>> attention;
  decltype(Kernels::attention_scratch) most_attention_scratch;  // enough for any version of attention
};

namespace cuda {
const KernelSet& kernel_set();
}
namespace sim {
const KernelSet& kernel_set();
}
namespace sim_checked {
const KernelSet& kernel_set();
}

}  // namespace stagecraft
