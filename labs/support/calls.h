#pragma once
/// @file
/// The learner's side of a check: a lab's runner/*.cpp says with LAB_CALL how a message becomes a call of the learner's
/// function, and its results a message. Prebuilt; only the learner's own files are compiled anew.
///
///     LAB_CALL(vector_add) {
///       const Device memory...
///       lab00::vector_add(...);
///       out.set("sum", sum.host());
///     }
#include <cstdint>
#include <string>
#include <vector>

#include "labs/support/message.h"

namespace stagecraft::labs {

/// Reads its arguments from `in` and puts results into `out`.
using Call = void (*)(const Message& in, Message& out);

/// Makes `call` known under `name` before main begins.
struct RegisterCall {
  RegisterCall(const char* name, Call call);
};

}  // namespace stagecraft::labs

#define LAB_CALL(name)                                                                                  \
  static void lab_call_##name(const ::stagecraft::labs::Message& in, ::stagecraft::labs::Message& out); \
  static const ::stagecraft::labs::RegisterCall lab_register_##name(#name, lab_call_##name);            \
  static void lab_call_##name([[maybe_unused]] const ::stagecraft::labs::Message& in,                   \
                              [[maybe_unused]] ::stagecraft::labs::Message& out)
