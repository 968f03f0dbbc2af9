#include "kernels/simulator/runtime/promised_outputs.h"

#include <stdexcept>

#include <fmt/format.h>

#include "kernels/simulator/runtime/simulator.h"

namespace simt {

void must_write(const void* memory, size_t bytes) {
  runtime::Simulator& simulator = runtime::simulator();
  simulator.outputs.promise(simulator, memory, bytes);
}

}  // namespace simt

namespace simt::runtime {

void PromisedOutputs::promise(Simulator& simulator, const void* memory, size_t bytes) {
  if (!simulator.memory.holds(memory, bytes))
    throw std::invalid_argument("must_write: the range is not inside one live allocation of device memory");
  const uintptr_t begin = reinterpret_cast<uintptr_t>(memory);
  simulator.written.erase(begin - simulator.memory.low(), bytes);
  outputs_.push_back({begin, bytes});
}

void PromisedOutputs::settle(Simulator& simulator, const void* kernel) {
  for (const Output& output : outputs_) {
    const size_t offset = output.begin - simulator.memory.low();
    const size_t first = simulator.written.prefix(offset, output.bytes);
    if (first == output.bytes ||
        simulator.findings.repeated(FindingKind::unwritten_output, kernel, CodePlace{output.begin}))
      continue;
    size_t missing = 0;
    for (size_t i = first; i < output.bytes; ++i) missing += !simulator.written.contains(offset + i, 1);
    const Allocation& block = *simulator.memory.find(output.begin);
    simulator.findings.add(
        {FindingKind::unwritten_output,
         kernel,
         {},
         std::nullopt,
         fmt::format("{} of the {} bytes of its output were not written, the first is byte {} (in the {}-byte "
                     "allocation of {}:{})",
                     missing, output.bytes, first, block.bytes, block.site.file, block.site.line),
         "is the grid large enough for all elements, and does the last, partly filled block do its part?"});
  }
  outputs_.clear();
}

}  // namespace simt::runtime
