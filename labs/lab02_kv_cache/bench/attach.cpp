/// @file Puts the learner's cache into stage 2. Its kernels replace two entries of the simulated device's table: the
/// linker's --wrap sends calls of make_device here (labs/README.md). Its next_step says where each pass begins: this
/// file defines the one function of stages/2_kv_cache/engine.cpp anew, so the linker leaves that file out of the
/// library.
///
/// All that the lab does not promise stays the engine's own: windows, blocks, large heads.
#include <algorithm>

#include "kernels/device.h"
#include "kernels/simulator/runtime_api.h"
#include "kv_cache.h"
#include "stages/2_kv_cache/engine.h"

namespace stagecraft {

std::unique_ptr<Device> original_make_device(std::string_view name, int threads) asm(
    "__real__ZN10stagecraft11make_deviceESt17basic_string_viewIcSt11char_traitsIcEEi");
std::unique_ptr<Device> make_device_with_lab(std::string_view name, int threads) asm(
    "__wrap__ZN10stagecraft11make_deviceESt17basic_string_viewIcSt11char_traitsIcEEi");

namespace {

/// What the device had before.
Kernels& original() {
  static Kernels kernels;
  return kernels;
}

int tiles_of(int longest_kv) { return (longest_kv + kAttentionTile - 1) / kAttentionTile; }

lab02::Heads heads_of(const AttentionShape& shape) {
  return {shape.heads, shape.kv_heads, shape.head_dim, shape.scale};
}

void kv_write(const float* keys, const float* values, const int64_t* slots, KvView kv, int rows, int kv_heads,
              int head_dim, Stream) {
  lab02::append(keys, values, slots, {kv.keys, kv.values, kv.type}, rows, kv_heads * head_dim);
}

void attention(const float* q, KvView kv, const RaggedRows& who, float* out, const AttentionShape& shape,
               float* scratch, Stream stream) {
  const auto* address = std::get_if<ContiguousAddress>(&kv.address);
  const bool promised = address && shape.window == kNoWindow && shape.head_dim <= lab02::kMaxHeadDim &&
                        shape.heads / shape.kv_heads <= lab02::kMaxGroup;
  if (!promised) return original().attention(q, kv, who, out, shape, scratch, stream);
  const lab02::Queries queries{address->first_slot, who.sequence, who.positions, who.rows, tiles_of(who.longest_kv)};
  lab02::decode_attention(q, {kv.keys, kv.values, kv.type}, queries, heads_of(shape), out, scratch);
}

int64_t attention_scratch(const AttentionShape& shape, int rows, int longest_kv) {
  return std::max(original().attention_scratch(shape, rows, longest_kv),
                  lab02::scratch_floats(heads_of(shape), rows, tiles_of(longest_kv)));
}

}  // namespace

std::unique_ptr<Device> make_device_with_lab(std::string_view name, int threads) {
  std::unique_ptr<Device> device = original_make_device(name, threads);
  if (device->name() != "sim") return device;  // the learner's kernels run in the simulator
  original() = device->kernels();
  device->kernels().kv_write = kv_write;
  device->kernels().attention = attention;
  device->kernels().attention_scratch = attention_scratch;
  return device;
}

/// A pass computes what is pending from num_computed on, so this is where the learner's step begins.
void KvCacheEngine::before_step(Request& request) const {
  const int64_t known = int64_t(request.tokens.size());
  const int64_t no_limit = known;
  request.num_computed = lab02::next_step(known, request.num_computed, no_limit).first;
}

}  // namespace stagecraft
