#pragma once
/// @file
/// All that the simulator has to say about a program, for people and for programs.
#include <string>
#include <vector>

#include "kernels/simulator/findings.h"
#include "kernels/simulator/gpu_estimate.h"
#include "kernels/simulator/profile.h"

namespace simt {

/// Findings as paragraphs, with their number; "no findings" if there are none.
std::string findings_text(const std::vector<Finding>& findings);

/// Findings, profile and, if `gpu` is not null, estimates as one JSON object.
std::string report_json(const std::vector<Finding>& findings, const std::vector<KernelProfile>& kernels,
                        const Gpu* gpu);

}  // namespace simt
