#pragma once
/// @file
/// The way from a kernel's memory accesses into the tracer.
#include <cstddef>

namespace simt::runtime {

/// An atomic of the running lane, called from `code`. Does nothing in a fast launch.
void on_atomic(const void* address, size_t bytes, const void* code);

/// Whether a write in `probe`, which was compiled together with the kernel, reaches the hooks.
bool hooks_fire(void (*probe)(volatile int*));

}  // namespace simt::runtime
