#pragma once
/// @file
/// Runs of stages' programs for `lab bench`: each contestant once a round, in turns, so that what the machine does besides
/// meets all alike.
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "labs/program/places.h"

namespace stagecraft::labs {

/// What one run's report says.
struct StageRun {
  nlohmann::json outputs;  // the tokens of each request
  int64_t tokens = 0;      // of all outputs
  double tokens_per_s = 0;
  int64_t forwarded = 0, recomputed = 0;  // tokens
  double bytes = 0, flop = 0;             // that the run cannot do without: weights and K/V read, products
  std::string device;
  int threads = 1;
};

/// One program in the comparison.
struct Contestant {
  std::string name;
  Path program;
  std::vector<StageRun> runs;  // one a round

  double tokens_per_s() const;  // median over the rounds
};

/// What this machine can do at most, measured by the loops of `bench`.
struct MachineSpeed {
  double bytes_per_s = 0, flop_per_s = 0;
};

/// Tokens/s of a machine that reads and multiplies at its limits (stages/core/roofline.h): the run's bytes and operations
/// against both; whichever takes longer.
double ideal_tokens_per_s(const StageRun& run, const MachineSpeed& machine);

/// How a ratio of times came out over the rounds.
struct Ratio {
  double median = 0, least = 0, most = 0;  // mine / other, of each round
  bool conclusive = false;                 // all rounds agree, and by more than what noise does
};
Ratio ratio_of(const Contestant& mine, const Contestant& other);

/// Runs `contestant.program` with these arguments in the repository. Throws Failure with what it printed.
StageRun run_stage(const Contestant& contestant, const std::vector<std::string>& arguments, const Path& source,
                   const Path& report);

/// Runs the program lab_limits: some tenths of a second.
MachineSpeed measure_machine(const Path& programs, int threads);

}  // namespace stagecraft::labs
