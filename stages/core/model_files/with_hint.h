#pragma once
/// @file
/// A hint for all messages of one piece of work that have none of their own.
#include <string>

#include "kernels/check.h"

namespace stagecraft {

/// What `work` returns; a BadInput that it throws without a hint gets `hint`.
template <class Work>
auto with_hint(const std::string& hint, Work&& work) {
  try {
    return work();
  } catch (const BadInput& error) {
    if (!error.hint().empty()) throw;
    throw BadInput(error.what(), hint);
  }
}

}  // namespace stagecraft
