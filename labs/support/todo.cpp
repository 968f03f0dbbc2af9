/// @file
/// LAB_TODO in a stage's program (`lab bench`). In a check's process the runner has its own definition, which comes first.
#include "labs/support/todo.h"

#include <stdexcept>
#include <string>

namespace stagecraft::labs {

void not_written_yet(const char* task) { throw std::logic_error(std::string(task) + " is not written yet"); }

}  // namespace stagecraft::labs
