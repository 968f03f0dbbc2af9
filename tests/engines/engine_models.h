#pragma once
/// @file
/// The models and devices of the matrix, each made once for the whole program.
#include <string>
#include <vector>

#include "tests/stages/test_model.h"

namespace stagecraft::testing {

/// `folder` on `device`: "cpu", "cuda", "sim", or "cpu " and one of the instruction sets of this machine, such as "cpu plain".
TestModel& engine_model(const std::string& folder, const std::string& device);

/// What engine_model() can make here: the cpu at each instruction set, the GPU if there is one, and the simulator if this
/// build has it.
const std::vector<std::string>& engine_devices();
bool has_simulator();

}  // namespace stagecraft::testing
