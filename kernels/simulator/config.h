#pragma once
/// @file
/// What a program may set, and ask, of the simulator. Host code only; there is no counterpart on a GPU.
#include <cstddef>
#include <cstdint>

namespace simt {

/// Settings of all launches that follow.
struct Config {
  int threads = 0;     // OS threads that share a fast launch's blocks; 0: one a core. A checked launch uses one.
  uint64_t seed = 0;   // other than 0: blocks, and the warps of a block, run in a random order drawn from it
  bool races = true;   // checked launches: look for races and uninitialised reads (half of the cost)
  bool poison = true;  // programs with checked kernels: new device memory is filled with NaNs (0xFF)
  bool require_checked = false;   // refuse kernels that were compiled without hooks, instead of running them fast
  double seconds_per_block = 10;  // of CPU time; a block that takes between one and two times that is called endless
};

/// The settings; change them between launches.
Config& config();

/// Checked launches only: says that the next launch must write all of `memory` (device memory, as a whole or a part of
/// one allocation). What it held counts as uninitialised from now on; a byte still unwritten after the launch is a
/// finding.
void must_write(const void* memory, size_t bytes);

}  // namespace simt
