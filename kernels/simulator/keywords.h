#pragma once
/// @file
/// CUDA's keywords for a host compiler, and where a call stands in the source.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#if defined(__SANITIZE_THREAD__)
#define SIMT_CHECKED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SIMT_CHECKED 1
#endif
#endif
#if !defined(SIMT_CHECKED)
#define SIMT_CHECKED 0
#endif

#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define SIMT_UNROLL
// Not __noinline__: libstdc++ itself writes __attribute__((__noinline__)).
#define SIMT_NOINLINE __attribute__((noinline))
#define SIMT_INLINE inline __attribute__((always_inline))

// A block stays on one OS thread, so its shared memory is thread-local storage of that thread. The checked build puts
// a red zone before each variable: running off one variable's end meets a red zone and not the next variable.
#if SIMT_CHECKED
#define SIMT_JOIN_(a, b) a##b
#define SIMT_JOIN(a, b) SIMT_JOIN_(a, b)
#define __shared__                                                                       \
  static __thread __attribute__((used)) char SIMT_JOIN(simt_redzone_, __COUNTER__)[256]; \
  static __thread
#else
#define __shared__ static __thread
#endif

/// Dynamic shared memory as an array of T.
#define SIMT_DYN_SHARED(T, name) T* const name = reinterpret_cast<T*>(::simt::detail::dynamic_shared())

namespace simt {

/// A place in the source. A default argument `Site site = Site::here()` is the caller's place.
struct Site {
  const char* file;
  int line;

  static constexpr Site here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) { return {file, line}; }
};

namespace detail {
__attribute__((const)) void* dynamic_shared();
}
}  // namespace simt
