#pragma once
/// @file
/// What the simulator found wrong in a kernel, told so that a learner can act on it.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace simt {

enum class FindingKind : uint8_t {
  shared_race,
  global_race,
  out_of_bounds,
  use_after_free,
  misaligned,
  host_pointer,
  uninitialised_shared,
  uninitialised_global,
  unwritten_output,
  divergent_barrier,
  warp_mismatch,
  absent_lane,
  deadlock,
  endless_loop,
  stack_overflow,
  crash,
  exception,
  no_hooks,
  bad_launch,
};

/// "shared race", "out of bounds", ...
const char* name_of(FindingKind kind);

/// Indices along x, y, z.
struct Index3 {
  unsigned x = 0, y = 0, z = 0;
};

/// One thread at one place of the source.
struct Actor {
  Index3 block;
  Index3 thread;
  std::string file;  // empty: unknown
  int line = 0;
  std::string action;  // such as "writes 4 bytes"
};

struct Finding {
  FindingKind kind;
  std::string kernel;
  Actor actor;
  std::optional<Actor> other;  // the second access of a race, the other barrier, the lane waited for
  std::string text;            // what happened, one or two sentences
  std::string hint;            // what to look for
  uint64_t count = 1;          // how often: the same kind at the same place is told once
};

/// All findings since the start or the last clear_findings(), in the order of their first occurrence.
std::vector<Finding> findings();
void clear_findings();

/// The finding as a paragraph for people.
std::string describe(const Finding& finding);

}  // namespace simt
