#pragma once
/// @file
/// The way from a kernel's memory accesses into the tracer.
#include <cstddef>

namespace simt::runtime {

/// An atomic of the running lane, called from `code`. Does nothing in a fast launch.
void on_atomic(const void* address, size_t bytes, const void* code);

}  // namespace simt::runtime
