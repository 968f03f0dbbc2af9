#pragma once
/// @file
/// A model on accelerators, and what a step of it costs. The step's arithmetic is CostModel's (stages/core); here are its
/// constants for a model, a card and a precision.
///
/// Several cards share every layer (tensor parallelism; Shoeybi et al., 2019). The model of it is simple: bytes and FLOP
/// are split evenly, and each layer waits twice for the cards to add up their halves:
///
///     step(n cards)  =  overhead + 2 x layers x all-reduce  +  max( bytes / (n x bandwidth), FLOP / (n x rate) )
///
/// Its limit: the time of an all-reduce is taken as fixed. That holds for the few rows of decoding; the many rows of a
/// long prompt also have to be sent, which is left out, so TTFT is too good where cards have no fast link.
#include <cstdint>

#include "stages/core/cost_model.h"
#include "stages/plan/gpu_table.h"
#include "stages/plan/model_shape.h"
#include "stages/plan/precision.h"

namespace stagecraft {

/// Which share of a data sheet's figures an engine reaches, and what it adds. Each default was set by one published row
/// (see published.cpp); the other rows there are predictions.
struct Efficiency {
  double bandwidth = 0.70;  // gpt-fast: Llama-2-7B in bf16 on an A100, one request
  double flop = 0.65;       // TensorRT-LLM: first token after 2,048 of Llama-7B on an A100
  double overhead_us = 200;
  double all_reduce_us = 17;  // gpt-fast: the same on two cards
};

struct Deployment {
  ModelShape shape;
  Gpu gpu;
  int64_t gpus = 1;  // that share the model
  Precision weights = Precision::bf16, kv = Precision::bf16;
  Efficiency efficiency = {};
  double memory_share = 0.9;   // of the memory that the engine takes; the rest is the driver's, and fragmentation
  int64_t step_tokens = 2048;  // token budget of a step
};

/// Bytes of all weights, and of those that a step reads besides experts: an untied embedding is looked up, not read.
int64_t stored_weight_bytes(const Deployment& deployment);
int64_t step_weight_bytes(const Deployment& deployment);
int64_t expert_bytes(const Deployment& deployment);

/// Bytes in the KV cache of a request of `tokens` tokens, over all cards together. Cards that are more than there are
/// heads of keys and values hold copies of them; those of latent attention all hold the same.
int64_t kv_bytes(const Deployment& deployment, int64_t tokens);

/// What a step costs, if requests hold about `typical_tokens` each: a window makes K/V cheaper the longer they are.
CostModel cost_model_of(const Deployment& deployment, int64_t typical_tokens);

}  // namespace stagecraft
