/// @file
/// Lab 3 in the learner's process: device memory in, device memory out; bf16 values travel as their bits. The loop of task
/// 5 meets scripted requests, and all that it does to them is written down.
#include "labs/support/calls.h"

#include <algorithm>

#include "batching.h"
#include "labs/support/device_vector.h"

namespace {

using stagecraft::bf16;
using stagecraft::labs::as;
using stagecraft::labs::DeviceVector;
using stagecraft::labs::Message;

std::vector<bf16> from_bits(const std::vector<int64_t>& bits) {
  std::vector<bf16> result;
  for (const int64_t one : bits) result.push_back({uint16_t(one)});
  return result;
}

int number(const Message& in, const char* key) { return int(in.integer(key)); }

lab03::ModelCost model_of(const Message& in) {
  return {in.integer("weight_bytes"), in.integer("parameters"), in.integer("kv_bytes_per_token")};
}

lab03::Machine machine_of(const Message& in) { return {in.integer("bytes_per_ns"), in.integer("flop_per_ns")}; }

lab03::DecodeStep step_of(const Message& in) { return {in.integer("rows"), in.integer("kv_length")}; }

/// Requests that arrive at given steps and want given numbers of tokens.
class ScriptedService final : public lab03::Service {
 public:
  ScriptedService(std::vector<int64_t> arrivals, std::vector<int64_t> lengths)
      : arrivals_(std::move(arrivals)), left_(std::move(lengths)) {}

  std::vector<int> gather(int most) override {
    std::vector<int> batch;
    if (next_ < arrivals_.size()) now_ = std::max(now_, arrivals_[next_]);
    for (; next_ < arrivals_.size() && int(batch.size()) < most && arrivals_[next_] <= now_; ++next_)
      batch.push_back(int(next_));
    note('g', most, batch);
    return batch;
  }
  bool ended(int request) override { return left_.at(size_t(request)) <= 0; }
  void step(const std::vector<int>& requests, int padded) override {
    note('s', padded, requests);
    for (const int request : requests) --left_.at(size_t(request));
    ++now_;
  }
  void release(int request) override { note('r', request, {}); }

  /// Kind, number, how many requests, and these; one event after the other.
  const std::vector<int64_t>& trace() const { return trace_; }

 private:
  void note(char kind, int with, const std::vector<int>& requests) {
    trace_.insert(trace_.end(), {int64_t(kind), int64_t(with), int64_t(requests.size())});
    trace_.insert(trace_.end(), requests.begin(), requests.end());
  }

  std::vector<int64_t> arrivals_, left_;  // (requests)
  size_t next_ = 0;
  int64_t now_ = 0;  // steps
  std::vector<int64_t> trace_;
};

}  // namespace

LAB_CALL(linear) {
  const DeviceVector<float> x(in.floats("x"));
  const DeviceVector<bf16> weight(from_bits(in.integers("weight")));
  const int rows = number(in, "rows"), out_width = number(in, "out_width");
  DeviceVector<float> product(size_t(rows) * size_t(out_width));
  product.must_be_written();
  lab03::linear(x.data(), weight.data(), product.data(), rows, number(in, "in"), out_width);
  out.set("out", product.host());
}

LAB_CALL(attention) {
  const DeviceVector<float> q(in.floats("q"));
  const DeviceVector<bf16> keys(from_bits(in.integers("keys"))), values(from_bits(in.integers("values")));
  const DeviceVector<int32_t> sequence(as<int32_t>(in.integers("sequence")));
  const DeviceVector<int32_t> positions(as<int32_t>(in.integers("positions")));
  const DeviceVector<int64_t> first_slot(in.integers("first_slot"));
  DeviceVector<float> attended(in.floats("q").size());
  attended.must_be_written();
  const lab03::Rows rows{sequence.data(), positions.data(), first_slot.data(), int(in.integers("sequence").size())};
  lab03::attention(q.data(), keys.data(), values.data(), rows, attended.data(), number(in, "heads"),
                   number(in, "kv_heads"), number(in, "head_dim"), in.floats("scale").at(0));
  out.set("out", attended.host());
}

LAB_CALL(padding) {
  std::vector<lab03::BatchLengths> batches;
  auto length = in.integers("lengths").begin();
  for (const int64_t size : in.integers("sizes")) {
    batches.emplace_back(length, length + size);
    length += size;
  }
  const lab03::Padding padding = lab03::padding_of(batches);
  out.set("counts", std::vector<int64_t>{padding.steps, padding.slots, padding.padded});
  out.set("share", std::vector<float>{float(padding.share)});
}

LAB_CALL(choose) {
  std::vector<int64_t> sizes, requests;
  for (const std::vector<int>& batch : lab03::choose_batches(in.integers("lengths"), number(in, "places"))) {
    sizes.push_back(int64_t(batch.size()));
    requests.insert(requests.end(), batch.begin(), batch.end());
  }
  out.set("sizes", sizes);
  out.set("requests", requests);
}

LAB_CALL(intensity) { out.set("intensity", std::vector<float>{float(lab03::intensity(model_of(in), step_of(in)))}); }

LAB_CALL(step_time) { out.set("ns", lab03::step_ns(model_of(in), machine_of(in), step_of(in))); }

LAB_CALL(turning_point) {
  out.set("rows", lab03::rows_to_leave_memory(model_of(in), machine_of(in), in.integer("kv_length")));
}

LAB_CALL(serve) {
  ScriptedService service(in.integers("arrivals"), in.integers("lengths"));
  const lab03::Served served = lab03::serve_in_batches(service, number(in, "places"));
  out.set("trace", service.trace());
  out.set("served", std::vector<int64_t>{served.steps, served.rows, served.padded});
}
