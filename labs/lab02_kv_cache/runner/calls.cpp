/// @file Lab 2 in the learner's process: device memory in, device memory out. Keys and values of a cache travel as
/// their bits.
#include "labs/support/calls.h"

#include "kernels/check.h"
#include "kv_cache.h"
#include "labs/support/device_vector.h"

namespace {

using stagecraft::NumberType;
using stagecraft::TokenId;
using stagecraft::labs::DeviceVector;
using stagecraft::labs::Message;

constexpr int kBitsOfByte = 8;

int number(const Message& in, const char* key) { return int(in.integer(key)); }

NumberType number_type(const Message& in, const char* key) { return NumberType(in.integer(key)); }

/// One layer's keys or values on the device.
class Plane {
 public:
  Plane(const std::vector<int64_t>& bits, NumberType type)
      : width_(size_t(bytes_of(type))), bytes_(as_bytes(bits, width_)) {}

  void* data() const { return bytes_.data(); }
  void must_be_written() { bytes_.must_be_written(); }

  std::vector<int64_t> bits() const {
    const std::vector<uint8_t> bytes = bytes_.host();
    std::vector<int64_t> all(bytes.size() / width_, 0);
    for (size_t i = 0; i < bytes.size(); ++i) all[i / width_] |= int64_t{bytes[i]} << i % width_ * kBitsOfByte;
    return all;
  }

 private:
  static std::vector<uint8_t> as_bytes(const std::vector<int64_t>& bits, size_t width) {
    std::vector<uint8_t> bytes;
    for (const int64_t element : bits) {
      for (size_t byte = 0; byte < width; ++byte) bytes.push_back(uint8_t(element >> byte * kBitsOfByte));
    }
    return bytes;
  }

  size_t width_;
  DeviceVector<uint8_t> bytes_;
};

struct DeviceCache {
  Plane keys, values;
  NumberType type;

  explicit DeviceCache(const Message& in)
      : keys(in.integers("cached_keys"), number_type(in, "type")),
        values(in.integers("cached_values"), number_type(in, "type")),
        type(number_type(in, "type")) {}

  lab02::Cache view() const { return {keys.data(), values.data(), type}; }
};

struct DeviceQueries {
  DeviceVector<int64_t> first_slot;
  DeviceVector<int32_t> sequence, positions;
  int rows, tiles;

  explicit DeviceQueries(const Message& in)
      : first_slot(in.integers("first_slot")),
        sequence(stagecraft::labs::as<int32_t>(in.integers("sequence"))),
        positions(stagecraft::labs::as<int32_t>(in.integers("positions"))),
        rows(int(in.integers("positions").size())),
        tiles(number(in, "tiles")) {}

  lab02::Queries view() const { return {first_slot.data(), sequence.data(), positions.data(), rows, tiles}; }
};

lab02::Heads heads_of(const Message& in) {
  return {number(in, "heads"), number(in, "kv_heads"), number(in, "head_dim"), in.floats("scale").at(0)};
}

/// A state is two floats on its way.
std::vector<stagecraft::SoftmaxState> states_of(const std::vector<float>& floats) {
  std::vector<stagecraft::SoftmaxState> states;
  for (size_t i = 0; i + 1 < floats.size(); i += 2) states.push_back({floats[i], floats[i + 1]});
  return states;
}

}  // namespace

LAB_CALL(append) {
  const DeviceVector<float> keys(in.floats("keys")), values(in.floats("values"));
  const DeviceVector<int64_t> slots(in.integers("slots"));
  DeviceCache cache(in);
  if (number(in, "all_written") == 1) {
    cache.keys.must_be_written();
    cache.values.must_be_written();
  }
  lab02::append(keys.data(), values.data(), slots.data(), cache.view(), int(in.integers("slots").size()),
                number(in, "width"));
  out.set("keys", cache.keys.bits());
  out.set("values", cache.values.bits());
}

LAB_CALL(attend_tiles) {
  const DeviceVector<float> q(in.floats("q"));
  const DeviceCache cache(in);
  const DeviceQueries queries(in);
  const lab02::Heads heads = heads_of(in);
  const size_t states = size_t(queries.rows) * size_t(heads.heads) * size_t(queries.tiles);
  DeviceVector<float> softmaxes(2 * states), values(states * size_t(heads.head_dim));
  if (number(in, "all_written") == 1) {
    softmaxes.must_be_written();
    values.must_be_written();
  }
  auto* as_states = reinterpret_cast<stagecraft::SoftmaxState*>(softmaxes.data());
  lab02::attend_tiles(q.data(), cache.view(), queries.view(), heads, {as_states, values.data()});
  out.set("softmaxes", softmaxes.host());
  out.set("values", values.host());
}

LAB_CALL(merge_tiles) {
  const DeviceVector<stagecraft::SoftmaxState> softmaxes(states_of(in.floats("softmaxes")));
  const DeviceVector<float> values(in.floats("values"));
  const DeviceQueries queries(in);
  const lab02::Heads heads = heads_of(in);
  DeviceVector<float> merged(size_t(queries.rows) * size_t(heads.heads) * size_t(heads.head_dim));
  merged.must_be_written();
  lab02::merge_tiles({softmaxes.data(), values.data()}, queries.view(), heads, merged.data());
  out.set("out", merged.host());
}

LAB_CALL(decode_attention) {
  const DeviceVector<float> q(in.floats("q"));
  const DeviceCache cache(in);
  const DeviceQueries queries(in);
  const lab02::Heads heads = heads_of(in);
  const DeviceVector<float> scratch(size_t(lab02::scratch_floats(heads, queries.rows, queries.tiles)));
  DeviceVector<float> attended(in.floats("q").size());
  lab02::decode_attention(q.data(), cache.view(), queries.view(), heads, attended.data(), scratch.data());
  out.set("out", attended.host());
}

namespace {

lab02::Model model_of(const Message& in) {
  return {number(in, "layers"),      number(in, "heads"),      number(in, "kv_heads"),
          number(in, "head_dim"),    in.integer("parameters"), number_type(in, "weight_type"),
          number_type(in, "kv_type")};
}

lab02::Step step_of(const Message& in) { return {in.integer("first"), in.integer("rows"), true}; }

/// Runs `use`; a complaint about bad input becomes part of the answer.
template <class Use>
void with_complaint(Message& out, const Use& use) {
  std::string complaint;
  try {
    use();
  } catch (const stagecraft::BadInput& error) {
    complaint = error.what();
  }
  out.set("complaint", complaint);
}

}  // namespace

LAB_CALL(kv_bytes_per_token) { out.set("bytes", lab02::kv_bytes_per_token(model_of(in))); }

LAB_CALL(tokens_that_fit) { out.set("tokens", lab02::tokens_that_fit(model_of(in), in.integer("memory"))); }

LAB_CALL(step_traffic) {
  const lab02::Traffic traffic = lab02::step_traffic(model_of(in), step_of(in));
  out.set("read", traffic.read);
  out.set("written", traffic.written);
}

LAB_CALL(next_step) {
  lab02::Step step{};
  with_complaint(out,
                 [&] { step = lab02::next_step(in.integer("known"), in.integer("cached"), in.integer("budget")); });
  out.set("first", step.first);
  out.set("rows", step.rows);
  out.set("draws", int64_t(step.draws));
}

LAB_CALL(still_cached) {
  const auto stored = stagecraft::labs::as<TokenId>(in.integers("stored"));
  const auto text = stagecraft::labs::as<TokenId>(in.integers("text"));
  out.set("cached", lab02::still_cached(stored, text));
}

LAB_CALL(operations) { out.set("operations", lab02::operations(model_of(in), step_of(in))); }

LAB_CALL(generation_work) {
  const auto decoding = lab02::Decoding(in.integer("decoding"));
  const lab02::Work work = lab02::generation_work(model_of(in), in.integer("prompt"), in.integer("output"), decoding);
  out.set("tokens", work.tokens);
  out.set("operations", work.operations);
  out.set("bytes_read", work.bytes_read);
  out.set("bytes_written", work.bytes_written);
}

LAB_CALL(cache_wins_from) {
  const lab02::Machine machine{double(in.integer("bytes_per_second")), double(in.integer("operations_per_second"))};
  out.set("length", lab02::cache_wins_from(model_of(in), machine));
}
