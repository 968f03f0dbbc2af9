#pragma once
/// @file
/// How much memory this process has held at most, by the operating system's count (VmHWM: pages of mapped files count).
#include <cstdint>
#include <optional>

namespace stagecraft::bench {

/// Bytes; nothing where /proc does not tell.
std::optional<int64_t> peak_memory();

}  // namespace stagecraft::bench
