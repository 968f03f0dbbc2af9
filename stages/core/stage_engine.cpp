#include "stages/core/stage_engine.h"

namespace stagecraft {

KvMemory kv_memory_of(const Model& model, NumberType type) {
  return {model.config().kv_bytes_per_token(type), model.device().free_memory(), model.config().context};
}

KvPool kv_pool_for(const StageEngine& engine, const std::vector<Job>& jobs, const Model& model, NumberType type) {
  return KvPool(model.device(), model.config(), type, engine.kv_slots(jobs, kv_memory_of(model, type)));
}

}  // namespace stagecraft
