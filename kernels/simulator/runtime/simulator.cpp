#include "kernels/simulator/runtime/simulator.h"

namespace simt {

Config& config() { return runtime::simulator().config; }

}  // namespace simt

namespace simt::runtime {

// Never destroyed: destructors of the program's own static objects may still free device memory.
Simulator& simulator() {
  static Simulator& only = *new Simulator;
  return only;
}

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) simulator().last_error = error;
  return error;
}

}  // namespace simt::runtime
