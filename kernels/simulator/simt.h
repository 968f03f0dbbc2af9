#pragma once
/// @file
/// One CUDA C++ source, two targets: every .cu file includes this header and nothing else of CUDA.
///
/// | compiled by        | what this header is                                                                   |
/// |--------------------|---------------------------------------------------------------------------------------|
/// | nvcc               | a few aliases over the CUDA runtime (cuda_target.h)                                   |
/// | g++, clang++       | the CUDA words a kernel uses, carried out by the simulator (link stagecraft_simulator)|
///
/// What differs from plain CUDA, because a host compiler must accept it:
/// - `simt::launch(kernel, {grid, block, smem, stream}, arguments...)` instead of `kernel<<<...>>>(...)`;
/// - `SIMT_DYN_SHARED(float, name);` instead of `extern __shared__ float name[];`
/// - `SIMT_UNROLL` instead of `#pragma unroll`, `SIMT_NOINLINE` instead of `__noinline__`;
/// - `__shared__ __align__(16) T x`, in this order; one variable a declaration; no memcpy in kernels; no inline PTX
///   without an `#if defined(__CUDA_ARCH__)` and a host branch.
#if defined(__CUDACC__)
#include "kernels/simulator/cuda_target.h"
#else
#include "kernels/simulator/keywords.h"
// The order below is the order of need.
#include "kernels/simulator/atomics.h"
#include "kernels/simulator/intrinsics.h"
#include "kernels/simulator/launch.h"
#include "kernels/simulator/runtime_api.h"
#include "kernels/simulator/thread_index.h"
#include "kernels/simulator/vector_types.h"
#include "kernels/simulator/warp_functions.h"
#endif
