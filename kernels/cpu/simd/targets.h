#pragma once
/// @file
/// The instruction sets that the SIMD kernels are compiled for. Highway includes each kernel file once for every set
/// the compiler knows; a file's body counts only where a vector multiply-add is one rounding (`fmaf`), which the
/// contract demands. Elsewhere (SSE4 and older) the plain kernels run.
#include "hwy/targets.h"

#if defined(__aarch64__) && defined(HWY_NEON_WITHOUT_AES)
#define STAGECRAFT_NEON (HWY_TARGET == HWY_NEON || HWY_TARGET == HWY_NEON_WITHOUT_AES)
#elif defined(__aarch64__)
#define STAGECRAFT_NEON (HWY_TARGET == HWY_NEON)
#else
#define STAGECRAFT_NEON 0
#endif

/// True in the passes whose kernels are built.
#define STAGECRAFT_FUSED_TARGET (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || STAGECRAFT_NEON)
