/// @file
/// Puts the learner's kernels into the table of the stage's simulated device. The linker's --wrap sends calls of
/// make_device here (labs/README.md), so the stage's program itself is not changed.
///
/// RMSNorm, RoPE and linear are replaced: they give the contract's bits. Attention of lab 1 keeps fp32 keys and another
/// order of additions, so the engine's own stays.
#include "kernels/device.h"
#include "kernels/simulator/runtime_api.h"
#include "naive.h"

namespace stagecraft {

std::unique_ptr<Device> original_make_device(std::string_view name, int threads) asm(
    "__real__ZN10stagecraft11make_deviceESt17basic_string_viewIcSt11char_traitsIcEEi");
std::unique_ptr<Device> make_device_with_lab(std::string_view name, int threads) asm(
    "__wrap__ZN10stagecraft11make_deviceESt17basic_string_viewIcSt11char_traitsIcEEi");

namespace {

/// What the device had before: for weights of other types than bf16, and for biases.
Kernels& original() {
  static Kernels kernels;
  return kernels;
}

void rms_norm(const float* x, WeightView weight, float* out, int rows, int width, float epsilon, Stream stream) {
  if (weight.type != NumberType::bf16) return original().rms_norm(x, weight, out, rows, width, epsilon, stream);
  lab01::rms_norm(x, static_cast<const bf16*>(weight.data), out, rows, width, epsilon);
}

void linear(const float* x, WeightView weight, WeightView bias, float* out, int rows, int in, int out_width,
            Stream stream) {
  if (weight.type != NumberType::bf16 || bias.data) {
    return original().linear(x, weight, bias, out, rows, in, out_width, stream);
  }
  lab01::linear_coalesced(x, static_cast<const bf16*>(weight.data), out, rows, in, out_width);
}

void rope(float* x, const int32_t* positions, const float* cosines, const float* sines, int rows, int heads,
          int head_dim, Stream) {
  lab01::rope(x, positions, cosines, sines, rows, heads, head_dim);
}

}  // namespace

std::unique_ptr<Device> make_device_with_lab(std::string_view name, int threads) {
  std::unique_ptr<Device> device = original_make_device(name, threads);
  if (device->name() != "sim") return device;  // the learner's kernels run in the simulator
  original() = device->kernels();
  device->kernels().rms_norm = rms_norm;
  device->kernels().linear = linear;
  device->kernels().rope = rope;
  return device;
}

}  // namespace stagecraft
