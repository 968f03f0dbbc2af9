/// @file
/// The SIMD operations of one target, in files of the same names. Signatures as in kernels/kernels.h.
#if defined(STAGECRAFT_OPERATIONS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef STAGECRAFT_OPERATIONS_INL_H
#undef STAGECRAFT_OPERATIONS_INL_H
#else
#define STAGECRAFT_OPERATIONS_INL_H
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "kernels/cpu/simd/targets.h"
#include "kernels/kernels.h"

#if STAGECRAFT_FUSED_TARGET
HWY_BEFORE_NAMESPACE();
namespace stagecraft::cpu::HWY_NAMESPACE {

void embedding(WeightView table, const TokenId* ids, float* out, int rows, int width, Stream stream);
void rms_norm(const float* x, WeightView weight, float* out, int rows, int width, float epsilon, Stream stream);
void linear_gemv(const float* x, WeightView weight, WeightView bias, float* out, int in, int out_width, Stream stream);
/// bf16 weights in whole blocks of 64, at most kMostFewRows rows: where suits_linear_few says so.
void linear_few(const float* x, WeightView weight, WeightView bias, float* out, int rows, int in, int out_width,
                Stream stream);
inline constexpr int kMostFewRows = 16;
bool suits_linear_few(NumberType type, int rows, int in);
void linear_gemm(const float* x, WeightView weight, WeightView bias, float* out, int rows, int in, int out_width,
                 Stream stream);
void rope(float* x, const int32_t* positions, const float* cosines, const float* sines, int rows, int heads,
          int head_dim, Stream stream);
void kv_write(const float* keys, const float* values, const int64_t* slots, KvView kv, int rows, int kv_heads,
              int head_dim, Stream stream);
void attention(const float* q, KvView kv, const RaggedRows& who, float* out, const AttentionShape& shape,
               float* scratch, Stream stream);
int64_t attention_scratch(const AttentionShape& shape, int rows, int longest_kv);
void swiglu(float* gate, const float* up, int64_t n, Stream stream);
void add(float* x, const float* y, int64_t n, Stream stream);
void gather_rows(const float* x, const int32_t* rows_wanted, float* out, int count, int width, Stream stream);
void sample(const float* logits, const SamplingRow* how, TokenId* out, int rows, int vocabulary, Stream stream);

// Not operations but what they are compared with; see LimitKernels in cpu_device.h.
uint32_t read_memory(const std::byte* from, int64_t bytes);
float multiply_add(int64_t steps);
int64_t multiply_add_flops();

}  // namespace stagecraft::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // STAGECRAFT_FUSED_TARGET
#endif  // STAGECRAFT_OPERATIONS_INL_H
