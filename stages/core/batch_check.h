#pragma once
/// @file
/// Whether a ForwardBatch is what it should be. A wrong slot or block does not crash: it silently answers with another
/// request's keys. So every pass is checked, on the host, before it is sent.
#include "stages/core/forward_batch.h"
#include "stages/core/kv_pool.h"
#include "stages/core/model_config.h"

namespace stagecraft {

/// Throws std::logic_error naming what is broken: sizes that do not fit together, ids and positions out of range, slots
/// or blocks outside the pool, a table too short for its sequence, a row that is stored elsewhere than attention looks.
void check_batch(const ForwardBatch& batch, const ModelConfig& config, int64_t max_positions, const KvPool& pool);

}  // namespace stagecraft
