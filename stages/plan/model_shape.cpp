/// @file
/// Counting parameters and cached values.
#include "stages/plan/model_shape.h"

#include <algorithm>

namespace stagecraft {
namespace {

constexpr int64_t kKeysAndValues = 2;
constexpr int64_t kNormsPerLayer = 2;
constexpr int64_t kFlopPerMultiplyAdd = 2;

int64_t attention_parameters(const ModelShape& s) {
  const int64_t q_width = s.heads * s.head_dim, kv_width = s.kv_heads * s.head_dim;
  const int64_t biases = s.qkv_bias ? q_width + kKeysAndValues * kv_width : 0;
  return kKeysAndValues * s.hidden * (q_width + kv_width) + biases;
}

/// Queries and keys have a part with and a part without RoPE; both go through a narrow vector first.
int64_t latent_parameters(const ModelShape& s) {
  const LatentShape& l = s.latent;
  const int64_t q_width = s.heads * (l.plain_dim + l.rope_dim);
  const int64_t queries =
      l.query_rank > 0 ? l.query_rank * (s.hidden + 1 + q_width) : s.hidden * q_width;  // 1: the norm in between
  const int64_t narrow = s.hidden * (l.kv_rank + l.rope_dim) + l.kv_rank;
  const int64_t wide = l.kv_rank * s.heads * (l.plain_dim + l.value_dim);
  return queries + narrow + wide + s.heads * l.value_dim * s.hidden;
}

int64_t expert_layers(const ModelShape& s) { return s.experts.count > 0 ? s.layers - s.experts.dense_layers : 0; }

}  // namespace

ParameterCount count_parameters(const ModelShape& s) {
  const int64_t with_experts = expert_layers(s), dense = s.layers - with_experts;
  const int64_t per_width = s.mlp_matrices * s.hidden;  // of an MLP, for each unit of its width
  ParameterCount count;
  count.embedding = s.vocabulary * s.hidden;
  count.head = s.tied_head ? 0 : count.embedding;
  count.attention = s.layers * (s.latent.kv_rank > 0 ? latent_parameters(s) : attention_parameters(s));
  count.mlp = per_width * (dense * s.intermediate + with_experts * s.experts.shared_intermediate);
  count.experts = per_width * with_experts * s.experts.count * s.experts.intermediate;
  count.router = with_experts * s.hidden * s.experts.count;
  count.norms = (kNormsPerLayer * s.layers + 1) * s.hidden;
  return count;
}

int64_t active_parameters(const ModelShape& s) {
  const ParameterCount count = count_parameters(s);
  if (s.experts.count == 0) return count.total();
  return count.total() - count.experts + count.experts / s.experts.count * s.experts.per_token;
}

int64_t kv_values(const ModelShape& s, int64_t tokens) {
  const int64_t per_layer =
      s.latent.kv_rank > 0 ? s.latent.kv_rank + s.latent.rope_dim : kKeysAndValues * s.kv_heads * s.head_dim;
  const int64_t windowed = s.window > 0 ? std::min(tokens, s.window) : tokens;
  return per_layer * ((s.layers - s.windowed_layers) * tokens + s.windowed_layers * windowed);
}

int64_t attention_flop_per_pair(const ModelShape& s) {
  // Latent attention is computed on the short vectors: the wide matrices are folded into queries and output.
  const int64_t widths =
      s.latent.kv_rank > 0 ? (s.latent.kv_rank + s.latent.rope_dim) + s.latent.kv_rank : kKeysAndValues * s.head_dim;
  return kFlopPerMultiplyAdd * s.layers * s.heads * widths;
}

int64_t kv_group(const ModelShape& s) { return s.latent.kv_rank > 0 ? s.latent.kv_rank : s.head_dim; }

}  // namespace stagecraft
