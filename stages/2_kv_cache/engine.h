#pragma once
/// @file
/// Stage 2, the KV cache: nothing is forgotten. The first step computes the prompt, each later one only the token that
/// was drawn last; its queries read the keys and values that are stored already.
///
///     pass 1   [Once upon a time]                -> ","
///     pass 2    ....................[,]          -> "there"
///     pass 3    ......................[there]    -> "was"          . stored: read, not computed
///
/// For a prompt of p tokens and n new ones the model sees p + n - 1 tokens: the last one drawn is never fed back. The
/// bits are those of stage 1, because keys and values are rounded and stored before attention reads them, in stage 1
/// too (EXACTNESS R4), and because attention adds up keys from position 0 on, however many rows ask (R3).
#include "stages/1_naive/engine.h"

namespace stagecraft {

/// Stage 1 without its forgetting.
class KvCacheEngine final : public NaiveEngine {
 protected:
  void before_step(Request& request) const override;
};

}  // namespace stagecraft
