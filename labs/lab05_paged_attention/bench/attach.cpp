/// @file
/// Puts the learner's attention into the table of the stage's simulated device. The linker's --wrap sends calls of
/// make_device here (labs/README.md). The learner's block pool, prefix cache and scheduler need nothing: they define the
/// functions of the engine's own classes, and the linker takes theirs.
#include <variant>

#include "kernels.h"
#include "kernels/device.h"

namespace stagecraft {

std::unique_ptr<Device> original_make_device(std::string_view name, int threads) asm(
    "__real__ZN10stagecraft11make_deviceESt17basic_string_viewIcSt11char_traitsIcEEi");
std::unique_ptr<Device> make_device_with_lab(std::string_view name, int threads) asm(
    "__wrap__ZN10stagecraft11make_deviceESt17basic_string_viewIcSt11char_traitsIcEEi");

namespace {

/// What the device had before: for what lab 5 leaves out, windows and other types than bf16.
Kernels& original() {
  static Kernels kernels;
  return kernels;
}

void attention(const float* q, KvView kv, const RaggedRows& who, float* out, const AttentionShape& shape,
               float* scratch, Stream stream) {
  const PagedAddress* const address = std::get_if<PagedAddress>(&kv.address);
  if (!address || kv.type != NumberType::bf16 || shape.window != kNoWindow || shape.head_dim > lab05::kMostHeadDim) {
    return original().attention(q, kv, who, out, shape, scratch, stream);
  }
  const lab05::PagedKv paged{static_cast<bf16*>(kv.keys),
                             static_cast<bf16*>(kv.values),
                             address->block_table,
                             address->table_stride,
                             address->block_shift,
                             shape.kv_heads,
                             shape.head_dim};
  lab05::paged_attention(q, paged, who.sequence, who.positions, out, who.rows, shape.heads, shape.scale);
}

}  // namespace

std::unique_ptr<Device> make_device_with_lab(std::string_view name, int threads) {
  std::unique_ptr<Device> device = original_make_device(name, threads);
  if (device->name() != "sim") return device;  // the learner's kernel runs in the simulator
  original() = device->kernels();
  device->kernels().attention = attention;
  return device;
}

}  // namespace stagecraft
