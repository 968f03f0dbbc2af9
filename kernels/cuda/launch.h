#pragma once
/// @file
/// How an operation of the table puts its kernel on the device's queue.
#include <utility>

#include "kernels/cuda/target.h"
#include "kernels/kernels.h"

namespace stagecraft::STAGECRAFT_TARGET {

inline constexpr int kWarp = 32;

/// The least number of blocks of `size` that cover `n`.
STAGECRAFT_HD constexpr int64_t ceil_div(int64_t n, int64_t size) { return (n + size - 1) / size; }

/// Blocks of `size` threads, or of whatever a block covers, for a dimension of a grid.
inline unsigned blocks_for(int64_t n, int64_t size) { return static_cast<unsigned>(ceil_div(n, size)); }

/// Throws Failure naming the kernel. Defined by the device that runs this build of the kernels.
[[noreturn]] void launch_failed(const char* kernel, const char* reason);

/// Queues `kernel`, unless its grid is empty. The arguments are converted to the kernel's parameter types. What a
/// kernel does wrong shows at Device::synchronize on a GPU, and at once in the simulator.
template <class... Parameters, class... Arguments>
void launch(const char* name, void (*kernel)(Parameters...), dim3 grid, dim3 block, size_t shared_bytes, Stream stream,
            Arguments&&... arguments) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return;
  const simt::Launch how{grid, block, shared_bytes, static_cast<cudaStream_t>(stream.handle)};
  const cudaError_t status = simt::launch(kernel, how, std::forward<Arguments>(arguments)...);
  if (status != cudaSuccess) launch_failed(name, cudaGetErrorString(status));
}

/// True if a row of `width` elements, and so every row of a matrix that starts at `data`, can be read 8 elements at a
/// time by 16-byte loads.
inline bool rows_load_by_eights(const void* data, int64_t width) {
  constexpr uintptr_t kLoadBytes = 16;
  return width % 8 == 0 && reinterpret_cast<uintptr_t>(data) % kLoadBytes == 0;
}

}  // namespace stagecraft::STAGECRAFT_TARGET
