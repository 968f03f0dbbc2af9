#pragma once
/// @file
/// simt::launch for the host: runs every thread of the grid before it returns.
#include <tuple>
#include <type_traits>
#include <utility>

#include "kernels/simulator/runtime_api.h"
#include "kernels/simulator/vector_types.h"

namespace simt {

/// Where and how a kernel runs.
struct Launch {
  dim3 grid{1};
  dim3 block{1};
  size_t smem = 0;  // bytes of dynamic shared memory a block
  cudaStream_t stream = nullptr;
};

namespace detail {

/// A kernel with its arguments, type-erased: `call(arguments)` runs one thread.
struct KernelCall {
  const void* kernel;
  void (*call)(void* arguments);
  void* arguments;
  size_t argument_bytes;
  void (*probe)(volatile int*);  // writes through its argument; null, if the kernel was compiled without hooks
};

cudaError_t launch(const KernelCall& call, const Launch& how);

}  // namespace detail

/// Runs `kernel`. Unlike on a GPU the launch has ended on return, and a fault of the kernel is the returned error.
/// (Static, so that each file has its own: files with and without hooks may be linked into one program.)
template <class... Parameters, class... Arguments>
static SIMT_INLINE cudaError_t launch(void (*kernel)(Parameters...), const Launch& how, Arguments&&... arguments) {
  static_assert((!std::is_reference_v<Parameters> && ...), "a kernel takes its parameters by value");
  struct Call {
    void (*kernel)(Parameters...);
    std::tuple<Parameters...> arguments;
  } call{kernel, std::tuple<Parameters...>(std::forward<Arguments>(arguments)...)};
  const auto run_one_thread = [](void* erased) {
    Call& one = *static_cast<Call*>(erased);
    std::apply(one.kernel, one.arguments);
  };
  void (*probe)(volatile int*) = nullptr;
#if SIMT_CHECKED
  probe = [](volatile int* cell) { *cell = 1; };
#endif
  return detail::launch({reinterpret_cast<const void*>(kernel), run_one_thread, &call, sizeof call, probe}, how);
}

}  // namespace simt
