#pragma once
/// @file
/// Errors of the examples: said, and the program ends.
#include <cstdio>
#include <cstdlib>

#include "kernels/simulator/simt.h"

namespace examples {

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

}  // namespace examples
