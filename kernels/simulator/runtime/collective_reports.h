#pragma once
/// @file
/// Findings about warp collectives.
#include "kernels/simulator/runtime/block_state.h"

namespace simt::runtime {

class Worker;

/// A shuffle reads from a lane that does not take part.
void report_absent_source(Worker& worker, const Lane& reader, unsigned source);
/// The lanes that meet came from different calls.
void report_different_calls(Worker& worker, const Warp& warp, LaneSet taking_part);
/// A lane calls a collective whose mask leaves it out.
void report_excluded_caller(Worker& worker, detail::Collective kind, LaneSet mask, Site site);

}  // namespace simt::runtime
