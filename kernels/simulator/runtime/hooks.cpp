#include "kernels/simulator/runtime/hooks.h"

#include "kernels/simulator/warp_functions.h"

namespace simt::runtime {

void on_atomic(const void*, size_t, const void*) {}

}  // namespace simt::runtime

namespace simt::detail {
void fence() {}
}  // namespace simt::detail
