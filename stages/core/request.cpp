/// @file
/// Names of what ends a request.
#include "stages/core/request.h"

namespace stagecraft {

std::string_view name_of(FinishReason reason) {
  switch (reason) {
    case FinishReason::length:
      return "length";
    case FinishReason::stop:
      return "stop";
    case FinishReason::cancelled:
      return "cancelled";
    case FinishReason::refused:
      return "refused";
  }
  return "unknown";
}

}  // namespace stagecraft
