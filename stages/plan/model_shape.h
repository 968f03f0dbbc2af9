#pragma once
/// @file
/// A model as far as its cost goes: how many numbers it stores, how many of them a token meets, and how many it leaves
/// in the KV cache. Wider than ModelConfig, which knows what we can run: here are mixtures of experts, latent attention
/// and windows, too.
///
/// | part        | parameters                                                                              |
/// |-------------|-----------------------------------------------------------------------------------------|
/// | embedding   | vocabulary x hidden, and again for the head unless the two are tied                     |
/// | attention   | layers x hidden x head_dim x (2 heads + 2 kv_heads), and biases                         |
/// | MLP         | layers x matrices x hidden x intermediate: 3 matrices if it is gated, else 2            |
/// | experts     | layers of experts x (E + shared) x matrices x hidden x expert width; router hidden x E  |
/// | KV a token  | layers x 2 x kv_heads x head_dim values; latent attention: layers x (rank + rope)       |
#include <cstdint>
#include <string>

namespace stagecraft {

/// The MLP of a layer as a mixture of experts: each token is computed by `per_token` of `count`.
struct ExpertShape {
  int64_t count = 0;  // 0: no experts
  int64_t per_token = 0;
  int64_t intermediate = 0;         // width of an expert
  int64_t shared_intermediate = 0;  // width of what all tokens share, all of it together
  int64_t dense_layers = 0;         // first layers that have an ordinary MLP
};

/// Multi-head latent attention (DeepSeek-V2, 2024): keys and values are kept as one short vector a token.
struct LatentShape {
  int64_t kv_rank = 0;     // 0: ordinary attention
  int64_t query_rank = 0;  // 0: queries are not compressed
  int64_t rope_dim = 0, plain_dim = 0, value_dim = 0;
};

struct ModelShape {
  std::string name;
  int64_t hidden = 0, intermediate = 0;
  int64_t layers = 0, heads = 0, kv_heads = 0, head_dim = 0;
  int64_t vocabulary = 0, context = 0;
  bool tied_head = false;
  bool qkv_bias = false;
  int64_t mlp_matrices = 3;
  int64_t window = 0, windowed_layers = 0;  // layers that keep only the last `window` tokens
  ExpertShape experts = {};
  LatentShape latent = {};
};

/// How many numbers each part of a model holds.
struct ParameterCount {
  int64_t embedding = 0;
  int64_t head = 0;       // 0 if tied to the embedding
  int64_t attention = 0;  // of all layers
  int64_t mlp = 0;        // what every token meets: dense layers, shared experts
  int64_t experts = 0;    // all routed experts
  int64_t router = 0;
  int64_t norms = 0;

  int64_t total() const { return embedding + head + attention + mlp + experts + router + norms; }
};

ParameterCount count_parameters(const ModelShape& shape);

/// Parameters that one token meets: all, but of the experts only its own.
int64_t active_parameters(const ModelShape& shape);

/// Values in the KV cache of a request of `tokens` tokens, all layers.
int64_t kv_values(const ModelShape& shape, int64_t tokens);

/// FLOP of attention for one query row and one key that it sees, all layers: scores and weighted sum.
int64_t attention_flop_per_pair(const ModelShape& shape);

/// Values that share a scale when the cache is quantised.
int64_t kv_group(const ModelShape& shape);

}  // namespace stagecraft
