#pragma once
/// @file
/// The requests of a cell.
#include "stages/core/random_stream.h"
#include "tests/engines/cell.h"

namespace stagecraft::testing {

/// Requests that suit the cell's stage, device and block size: fewer and shorter ones where each token costs more.
std::vector<Job> draw_jobs(const Cell& cell, RandomStream& random, const ModelConfig& config);

/// `jobs` without the one at `place`; ids count up again, and its samples stand for themselves.
std::vector<Job> without_job(std::vector<Job> jobs, size_t place);

}  // namespace stagecraft::testing
