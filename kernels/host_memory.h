#pragma once
/// @file
/// How much memory this machine, or the container that we run in, can still give.
#include <cstdint>
#include <filesystem>

namespace stagecraft {

/// The smaller of what Linux calls available and what the control group leaves. Never negative.
int64_t free_host_memory();

/// The same, from files of these places: /proc/meminfo, and a control group's memory.max and memory.current (version 2).
/// A file that is absent, or says "max", limits nothing.
int64_t free_host_memory(const std::filesystem::path& meminfo, const std::filesystem::path& control_group);

}  // namespace stagecraft
