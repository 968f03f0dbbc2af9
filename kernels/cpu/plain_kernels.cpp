/// @file
/// See plain_kernels.h. Operations in the order in which a forward pass uses them.
#include "kernels/cpu/plain_kernels.h"

#include <algorithm>
#include <vector>

#include "kernels/cpu/integer_operations.h"
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

/// The keys [first, last) that a query at `position` sees.
struct VisibleKeys {
  int64_t first, last;
};

VisibleKeys visible_keys(int64_t position, int window) {
  const int64_t first = window == kNoWindow ? 0 : std::max<int64_t>(0, position - window + 1);
  return {first, position + 1};
}

/// One query head against one tile: the tile's softmax state, and its weighted values in `values_out`.
template <class T, class Address>
SoftmaxState attend_tile(const float* q, const StoredKv<T, Address>& kv, int64_t sequence, int64_t kv_head,
                         const AttentionShape& shape, int64_t tile_start, VisibleKeys keys, float* values_out) {
  const int64_t first = std::max(keys.first, tile_start);
  const int64_t last = std::min(keys.last, tile_start + kAttentionTile);
  const auto row_of = [&](const T* base, int64_t position) {
    const int64_t slot = kv.address.slot(sequence, position);
    return base + (slot * shape.kv_heads + kv_head) * shape.head_dim;
  };

  float weights[kPartialSums] = {};  // one slot a key of the tile; a masked key's stays 0 and is never read as a key
  static_assert(kAttentionTile == kPartialSums, "a tile's weights are folded like a dot product's partial sums");
  SoftmaxState state;
  for (int64_t p = first; p < last; ++p) {
    const float score = exact_dot(q, row_of(kv.keys, p), shape.head_dim) * shape.scale;
    weights[p - tile_start] = score;
    if (score > state.max) state.max = score;
  }
  std::fill_n(values_out, shape.head_dim, 0.0f);
  for (int64_t p = first; p < last; ++p) {
    const float weight = exact_exp(weights[p - tile_start] - state.max);
    weights[p - tile_start] = weight;
    const T* value = row_of(kv.values, p);
    for (int64_t d = 0; d < shape.head_dim; ++d) values_out[d] = fmaf(weight, to_float(value[d]), values_out[d]);
  }
  state.sum = exact_fold(weights);
  return state;
}

template <class T, class Address>
void attend_row(const float* q, const StoredKv<T, Address>& kv, int64_t sequence, int64_t position, int64_t kv_head,
                const AttentionShape& shape, float* out) {
  const VisibleKeys keys = visible_keys(position, shape.window);
  std::vector<float> tile_values(size_t(shape.head_dim));
  const int64_t first_tile = keys.first / kAttentionTile * kAttentionTile;

  SoftmaxState state = attend_tile(q, kv, sequence, kv_head, shape, first_tile, keys, out);
  for (int64_t tile = first_tile + kAttentionTile; tile < keys.last; tile += kAttentionTile) {
    const SoftmaxState later = attend_tile(q, kv, sequence, kv_head, shape, tile, keys, tile_values.data());
    const MergeWeights weights = merge(state, later);
    for (int64_t d = 0; d < shape.head_dim; ++d) {
      out[d] = fmaf(out[d], weights.earlier, tile_values[size_t(d)] * weights.later);
    }
  }
  for (int64_t d = 0; d < shape.head_dim; ++d) out[d] = out[d] / state.sum;
}

void attention(const float* q, KvView kv, const RaggedRows& who, float* out, const AttentionShape& shape, float*,
               Stream) {
  const int64_t queries_per_kv_head = shape.heads / shape.kv_heads;
  with_stored_kv(kv, [&](const auto& stored) {
    for (int64_t r = 0; r < who.rows; ++r) {
      for (int64_t h = 0; h < shape.heads; ++h) {
        const int64_t offset = (r * shape.heads + h) * shape.head_dim;
        attend_row(q + offset, stored, who.sequence[r], who.positions[r], h / queries_per_kv_head, shape, out + offset);
      }
    }
  });
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
