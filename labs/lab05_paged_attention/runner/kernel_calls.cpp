/// @file
/// Tasks 2 and 5 in the learner's process: device memory in, device memory out; bf16 numbers travel as their bits.
#include <algorithm>

#include "kernels.h"
#include "labs/support/calls.h"
#include "labs/support/device_vector.h"

namespace {

using stagecraft::bf16;
using stagecraft::labs::as;
using stagecraft::labs::DeviceVector;
using stagecraft::labs::Message;

int number(const Message& in, const char* key) { return int(in.integer(key)); }

/// The pool of a layer and its block tables. What is not filled was never written, and holds NaNs.
class Pool {
 public:
  explicit Pool(const Message& in)
      : width_(in.integer("kv_heads") * in.integer("head_dim")),
        keys_(size_t(in.integer("slots") * width_)),
        values_(size_t(in.integer("slots") * width_)),
        tables_(as<int32_t>(in.integers("tables"))),
        kv_{keys_.data(),
            values_.data(),
            tables_.data(),
            number(in, "table_stride"),
            number(in, "block_shift"),
            number(in, "kv_heads"),
            number(in, "head_dim")} {}

  const lab05::PagedKv& kv() const { return kv_; }

  /// Row i of `keys` and `values` goes to slots[i].
  void fill(const std::vector<int64_t>& slots, const std::vector<int64_t>& keys, const std::vector<int64_t>& values) {
    for (size_t row = 0; row < slots.size(); ++row) {
      put(keys_, slots[row], keys, row);
      put(values_, slots[row], values, row);
    }
  }

  static std::vector<int64_t> bits(const DeviceVector<bf16>& memory) {
    std::vector<int64_t> result;
    for (const bf16 value : memory.host()) result.push_back(value.bits);
    return result;
  }
  std::vector<int64_t> keys() const { return bits(keys_); }
  std::vector<int64_t> values() const { return bits(values_); }

 private:
  void put(const DeviceVector<bf16>& plane, int64_t slot, const std::vector<int64_t>& rows, size_t row) {
    std::vector<bf16> one;
    for (size_t i = 0; i < size_t(width_); ++i) one.push_back({uint16_t(rows.at(row * size_t(width_) + i))});
    (void)cudaMemcpy(plane.data() + slot * width_, one.data(), one.size() * sizeof(bf16), cudaMemcpyHostToDevice);
  }

  int64_t width_;
  DeviceVector<bf16> keys_, values_;
  DeviceVector<int32_t> tables_;
  lab05::PagedKv kv_;
};

struct Op {
  enum : int64_t { begin, fork, end, append, step };
};

}  // namespace

LAB_CALL(paged_write) {
  const Pool pool(in);
  const DeviceVector<float> keys(in.floats("keys")), values(in.floats("values"));
  const DeviceVector<int32_t> sequence(as<int32_t>(in.integers("sequence")));
  const DeviceVector<int32_t> positions(as<int32_t>(in.integers("positions")));
  lab05::paged_write(keys.data(), values.data(), sequence.data(), positions.data(), pool.kv(),
                     int(in.integers("sequence").size()));
  out.set("keys", pool.keys());
  out.set("values", pool.values());
}

LAB_CALL(paged_attention) {
  Pool pool(in);
  pool.fill(in.integers("stored_slots"), in.integers("stored_keys"), in.integers("stored_values"));
  const DeviceVector<float> q(in.floats("q"));
  const DeviceVector<int32_t> sequence(as<int32_t>(in.integers("sequence")));
  const DeviceVector<int32_t> positions(as<int32_t>(in.integers("positions")));
  DeviceVector<float> attended(in.floats("q").size());
  attended.must_be_written();
  lab05::paged_attention(q.data(), pool.kv(), sequence.data(), positions.data(), attended.data(),
                         int(in.integers("sequence").size()), number(in, "heads"), in.floats("scale").at(0));
  out.set("out", attended.host());
}

/// Pairs (operation, sample). Returns what the samples that are left hold, one after the other in the order of their numbers,
/// and the blocks alive after each step.
LAB_CALL(samples) {
  lab05::Samples samples(number(in, "block_size"));
  const std::vector<int64_t>& script = in.integers("script");
  const std::vector<float>& numbers = in.floats("numbers");
  std::vector<int> left;
  std::vector<int64_t> alive;
  size_t next = 0;
  for (size_t i = 0; i < script.size(); i += 2) {
    const int sample = int(script[i + 1]);
    switch (script[i]) {
      case Op::begin:
        left.push_back(samples.begin());
        break;
      case Op::fork:
        left.push_back(samples.fork(sample));
        break;
      case Op::end:
        samples.end(sample);
        left.erase(std::find(left.begin(), left.end(), sample));
        break;
      case Op::append:
        samples.append(sample, numbers.at(next++));
        break;
      default:
        samples.step();
        alive.push_back(samples.blocks_alive());
    }
  }
  (void)cudaDeviceSynchronize();
  std::vector<float> content;
  for (const int sample : left) {
    const std::vector<float> one = samples.read(sample);
    content.insert(content.end(), one.begin(), one.end());
  }
  out.set("content", content);
  out.set("alive", alive);
}
