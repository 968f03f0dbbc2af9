/// @file
/// What stage 2 changes: the request's num_computed stays what it is.
#include "stages/2_kv_cache/engine.h"

namespace stagecraft {

//! [keep]
void KvCacheEngine::before_step(Request&) const {}
//! [keep]

}  // namespace stagecraft
