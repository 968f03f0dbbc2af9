#include "kernels/simulator/thread_index.h"

#include "kernels/simulator/runtime/worker.h"

namespace simt::detail {

using runtime::Worker;

#define SIMT_INDEX(name, value)                              \
  unsigned name##_x() { return Worker::running()->value.x; } \
  unsigned name##_y() { return Worker::running()->value.y; } \
  unsigned name##_z() { return Worker::running()->value.z; }
SIMT_INDEX(thread_index, lane()->index)
SIMT_INDEX(block_index, block_index())
SIMT_INDEX(block_size, job().block)
SIMT_INDEX(grid_size, job().grid)
#undef SIMT_INDEX

void* dynamic_shared() { return Worker::running()->dynamic_shared(); }

}  // namespace simt::detail
