#pragma once
/// @file
/// A lab's code computes. Names of the system, of the simulator's settings and of the labs' own protocol have no place in
/// it: code that refers to one is not run. This stops the careless and the curious; what the fence (labs/support/fence.h)
/// refuses is refused however it is called.
#include <string>
#include <vector>

#include "labs/program/places.h"

namespace stagecraft::labs {

/// The first such name that an object refers to, as "NAME in FILE"; empty if there is none.
std::string forbidden_name(const std::vector<Path>& objects);

}  // namespace stagecraft::labs
