/// @file
/// See plain_kernels.h. Operations in the order in which a forward pass uses them.
#include "kernels/cpu/plain_kernels.h"

#include <algorithm>

#include "kernels/cpu/integer_operations.h"
#include "kernels/cpu/plain_attention.h"
#include "kernels/exact_math.h"

namespace stagecraft::cpu {
namespace {

void embedding(WeightView table, const TokenId* ids, float* out, int rows, int width, Stream) {
  with_elements(table.type, table.data, [&](const auto* elements) {
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t i = 0; i < width; ++i) out[r * width + i] = to_float(elements[int64_t(ids[r]) * width + i]);
    }
  });
}

void rms_norm(const float* x, WeightView weight, float* out, int rows, int width, float epsilon, Stream) {
  with_elements(weight.type, weight.data, [&](const auto* w) {
    for (int64_t r = 0; r < rows; ++r) {
      const float* row = x + r * width;
      const float scale = rms_scale(exact_dot(row, row, width), width, epsilon);
      for (int64_t i = 0; i < width; ++i) out[r * width + i] = row[i] * scale * to_float(w[i]);
    }
  });
}

float bias_at(WeightView bias, int64_t i) {
  return with_elements(bias.type, bias.data, [&](const auto* b) { return to_float(b[i]); });
}

void linear(const float* x, WeightView weight, WeightView bias, float* out, int rows, int in, int out_width, Stream) {
  with_elements(weight.type, weight.data, [&](const auto* w) {
    for (int64_t o = 0; o < out_width; ++o) {
      for (int64_t r = 0; r < rows; ++r) {
        const float sum = exact_dot(x + r * in, w + o * in, in);
        out[r * out_width + o] = bias.data ? sum + bias_at(bias, o) : sum;
      }
    }
  });
}

void rope(float* x, const int32_t* positions, const float* cosines, const float* sines, int rows, int heads,
          int head_dim, Stream) {
  const int64_t half = head_dim / 2;
  for (int64_t r = 0; r < rows; ++r) {
    const float* cosine = cosines + positions[r] * half;
    const float* sine = sines + positions[r] * half;
    for (int64_t h = 0; h < heads; ++h) {
      float* head = x + (r * heads + h) * head_dim;
      for (int64_t i = 0; i < half; ++i) {
        const RotatedPair pair = rotate(head[i], head[i + half], cosine[i], sine[i]);
        head[i] = pair.left;
        head[i + half] = pair.right;
      }
    }
  }
}

template <class T>
void store_rows(const float* from, const int64_t* slots, T* to, int rows, int64_t width) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < width; ++i) to[slots[r] * width + i] = round_to<T>(from[r * width + i]);
  }
}

void kv_write(const float* keys, const float* values, const int64_t* slots, KvView kv, int rows, int kv_heads,
              int head_dim, Stream) {
  const int64_t width = int64_t(kv_heads) * head_dim;
  with_elements(kv.type, nullptr, [&]<class T>(const T*) {
    store_rows(keys, slots, static_cast<T*>(kv.keys), rows, width);
    store_rows(values, slots, static_cast<T*>(kv.values), rows, width);
  });
}

void attention(const float* q, KvView kv, const RaggedRows& who, float* out, const AttentionShape& shape, float*,
               Stream) {
  with_stored_kv(kv, [&](const auto& stored) { plain_attention(q, stored, who, out, shape); });
}

int64_t no_scratch(const AttentionShape&, int, int) { return 0; }

void swiglu(float* gate, const float* up, int64_t n, Stream) {
  for (int64_t i = 0; i < n; ++i) gate[i] = exact_silu(gate[i]) * up[i];
}

void add(float* x, const float* y, int64_t n, Stream) {
  for (int64_t i = 0; i < n; ++i) x[i] += y[i];
}

void gather_rows(const float* x, const int32_t* rows_wanted, float* out, int count, int width, Stream) {
  for (int64_t i = 0; i < count; ++i) std::copy_n(x + int64_t(rows_wanted[i]) * width, width, out + i * width);
}

void sample(const float* logits, const SamplingRow* how, TokenId* out, int rows, int vocabulary, Stream) {
  for (int64_t r = 0; r < rows; ++r) out[r] = plain_sample_row(logits + r * vocabulary, vocabulary, how[r]);
}

}  // namespace

const Kernels& plain_kernels() {
  static constexpr Kernels table{embedding,  rms_norm, linear, rope,        kv_write, copy_blocks, attention,
                                 no_scratch, swiglu,   add,    gather_rows, sample,   verify};
  return table;
}

}  // namespace stagecraft::cpu
