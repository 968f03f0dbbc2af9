#pragma once
/// @file
/// CUDA's vector types: float4, uint4, ushort4 and the rest.
///
/// On a GPU `float4 v = p[i]` is one 16-byte load. A plain struct would be taken apart into four 4-byte loads by the
/// host compiler before the checked build counts them. So a type of 4, 8 or 16 bytes is a union with a vector register
/// type, and copying it is one access of that type - in the checked build a volatile one, which no pass takes apart.
#include "kernels/simulator/keywords.h"

#if SIMT_CHECKED
#define SIMT_WHOLE volatile
#else
#define SIMT_WHOLE
#endif

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"  // anonymous structs in unions; nvcc's own header has them too

// Copying goes through a pointer in the body: clang 14 drops the volatile of a cast in a member initialiser.
#define SIMT_VECTOR_COPY(Name)                     \
  Name() = default;                                \
  SIMT_INLINE Name(const Name& other) {            \
    const SIMT_WHOLE Whole* from = &other.whole_;  \
    whole_ = *from;                                \
  }                                                \
  SIMT_INLINE Name& operator=(const Name& other) { \
    const SIMT_WHOLE Whole* from = &other.whole_;  \
    const Whole value = *from;                     \
    SIMT_WHOLE Whole* to = &whole_;                \
    *to = value;                                   \
    return *this;                                  \
  }

#define SIMT_VECTOR2(Name, T)                                               \
  struct alignas(2 * sizeof(T)) Name {                                      \
    typedef T Whole __attribute__((vector_size(2 * sizeof(T)), may_alias)); \
    union {                                                                 \
      struct {                                                              \
        T x, y;                                                             \
      };                                                                    \
      Whole whole_;                                                         \
    };                                                                      \
    SIMT_INLINE Name(T x_value, T y_value) : x(x_value), y(y_value) {}      \
    SIMT_VECTOR_COPY(Name)                                                  \
  };                                                                        \
  SIMT_INLINE Name make_##Name(T x, T y) { return Name(x, y); }

#define SIMT_VECTOR4(Name, T)                                                                                        \
  struct alignas(4 * sizeof(T)) Name {                                                                               \
    typedef T Whole __attribute__((vector_size(4 * sizeof(T)), may_alias));                                          \
    union {                                                                                                          \
      struct {                                                                                                       \
        T x, y, z, w;                                                                                                \
      };                                                                                                             \
      Whole whole_;                                                                                                  \
    };                                                                                                               \
    SIMT_INLINE Name(T x_value, T y_value, T z_value, T w_value) : x(x_value), y(y_value), z(z_value), w(w_value) {} \
    SIMT_VECTOR_COPY(Name)                                                                                           \
  };                                                                                                                 \
  SIMT_INLINE Name make_##Name(T x, T y, T z, T w) { return Name(x, y, z, w); }

// Three members are not a power of two: CUDA moves them one by one as well.
#define SIMT_VECTOR3(Name, T) \
  struct Name {               \
    T x, y, z;                \
  };                          \
  SIMT_INLINE Name make_##Name(T x, T y, T z) { return {x, y, z}; }

SIMT_VECTOR2(char2, signed char)
SIMT_VECTOR4(char4, signed char)
SIMT_VECTOR2(uchar2, unsigned char)
SIMT_VECTOR4(uchar4, unsigned char)
SIMT_VECTOR2(short2, short)
SIMT_VECTOR4(short4, short)
SIMT_VECTOR2(ushort2, unsigned short)
SIMT_VECTOR4(ushort4, unsigned short)
SIMT_VECTOR2(int2, int)
SIMT_VECTOR3(int3, int)
SIMT_VECTOR4(int4, int)
SIMT_VECTOR2(uint2, unsigned)
SIMT_VECTOR3(uint3, unsigned)
SIMT_VECTOR4(uint4, unsigned)
SIMT_VECTOR2(float2, float)
SIMT_VECTOR3(float3, float)
SIMT_VECTOR4(float4, float)
SIMT_VECTOR2(double2, double)
SIMT_VECTOR2(longlong2, long long)
SIMT_VECTOR2(ulonglong2, unsigned long long)

#undef SIMT_VECTOR2
#undef SIMT_VECTOR3
#undef SIMT_VECTOR4
#undef SIMT_VECTOR_COPY
#undef SIMT_WHOLE
#pragma GCC diagnostic pop

/// Extents of a grid or block; what is left out is 1.
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_extent = 1, unsigned y_extent = 1, unsigned z_extent = 1)
      : x(x_extent), y(y_extent), z(z_extent) {}
};
