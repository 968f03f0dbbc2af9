#pragma once
/// @file
/// How the lanes of a warp meet: the last lane that arrives does the exchange for all, so a shuffle costs each lane one
/// stop at most.
#include "kernels/simulator/runtime/block_state.h"

namespace simt::runtime {

class Worker;

/// Does the exchange that lanes of the warp wait for and lets them go, if nobody is missing any more.
void complete_if_all_arrived(Worker& worker, Warp& warp);

/// Whether both are the same line of the same file.
bool same_place(Site a, Site b);

/// "__shfl_xor_sync", ...
const char* name_of(detail::Collective kind);

}  // namespace simt::runtime
