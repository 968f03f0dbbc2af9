#pragma once
/// @file
/// Which of its three builds a .cu file is in. One program may hold all three, so each has a namespace of its own.
///
/// | namespace               | compiled by                                      | runs on                            |
/// |-------------------------|--------------------------------------------------|------------------------------------|
/// | stagecraft::cuda        | nvcc                                             | a GPU                              |
/// | stagecraft::sim         | the host compiler                                | the simulator, fast                |
/// | stagecraft::sim_checked | the host compiler with the simulator's checks on | the simulator, watched and counted |
#include "kernels/simulator/simt.h"

#if defined(__CUDACC__)
#define STAGECRAFT_TARGET cuda
#elif SIMT_CHECKED
#define STAGECRAFT_TARGET sim_checked
#else
#define STAGECRAFT_TARGET sim
#endif
