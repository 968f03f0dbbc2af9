#pragma once
/// @file
/// Findings of the scheduler itself. They are made in fast launches too, since they cost nothing until they happen.
#include <vector>

#include "kernels/simulator/runtime/block_state.h"

namespace simt::runtime {

class Worker;
struct CodePlace;
struct Interruption;

/// Lanes wait at a collective for lanes that will not come.
void report_deadlock(Worker& worker, const Warp& warp);
/// The block ran longer than Config::seconds_per_block.
void report_endless(Worker& worker, const CodePlace& place);
/// The running lane overflowed its stack or accessed an address that is nobody's.
void report_crash(Worker& worker, const Interruption& what);
/// A C++ exception left the kernel.
void report_exception(Worker& worker);

enum class BarrierVerdict { go_on, stop };
/// Whether all threads of the block wait at the same __syncthreads, now that none can go on. A barrier that some
/// threads have left out by ending is reported, and passed as on a GPU; waiting at two different ones is the end.
BarrierVerdict report_divergent_barrier(Worker& worker, const std::vector<Warp>& warps);

}  // namespace simt::runtime
