/// @file
/// Lab 1 in the learner's process: device memory in, device memory out; bf16 weights travel as their bits.
#include "labs/support/calls.h"

#include "labs/support/device_vector.h"
#include "naive.h"

namespace {

using stagecraft::bf16;
using stagecraft::labs::DeviceVector;
using stagecraft::labs::Message;

std::vector<bf16> weights(const Message& in) {
  std::vector<bf16> result;
  for (const int64_t bits : in.integers("weight")) result.push_back({uint16_t(bits)});
  return result;
}

int number(const Message& in, const char* key) { return int(in.integer(key)); }

}  // namespace

LAB_CALL(rms_norm) {
  const DeviceVector<float> x(in.floats("x"));
  const DeviceVector<bf16> weight(weights(in));
  const int rows = number(in, "rows"), width = number(in, "width");
  const float epsilon = in.floats("epsilon").at(0);
  if (number(in, "in_place") == 1) {
    lab01::rms_norm(x.data(), weight.data(), x.data(), rows, width, epsilon);
    out.set("out", x.host());
    return;
  }
  DeviceVector<float> normed(in.floats("x").size());
  normed.must_be_written();
  lab01::rms_norm(x.data(), weight.data(), normed.data(), rows, width, epsilon);
  out.set("out", normed.host());
}

LAB_CALL(rope) {
  const DeviceVector<float> x(in.floats("x")), cosines(in.floats("cosines")), sines(in.floats("sines"));
  const DeviceVector<int32_t> positions(stagecraft::labs::as<int32_t>(in.integers("positions")));
  lab01::rope(x.data(), positions.data(), cosines.data(), sines.data(), number(in, "rows"), number(in, "heads"),
              number(in, "head_dim"));
  out.set("out", x.host());
}

LAB_CALL(linear) {
  const DeviceVector<float> x(in.floats("x"));
  const DeviceVector<bf16> weight(weights(in));
  const int rows = number(in, "rows"), width = number(in, "in"), out_width = number(in, "out_width");
  DeviceVector<float> product(size_t(rows) * size_t(out_width));
  product.must_be_written();
  const auto linear = number(in, "coalesced") == 1 ? lab01::linear_coalesced : lab01::linear_naive;
  linear(x.data(), weight.data(), product.data(), rows, width, out_width);
  out.set("out", product.host());
}

LAB_CALL(attention) {
  const DeviceVector<float> q(in.floats("q")), keys(in.floats("keys")), values(in.floats("values"));
  DeviceVector<float> attended(in.floats("q").size());
  attended.must_be_written();
  lab01::attention(q.data(), keys.data(), values.data(), attended.data(), number(in, "rows"), number(in, "heads"),
                   number(in, "kv_heads"), number(in, "head_dim"), in.floats("scale").at(0));
  out.set("out", attended.host());
}

LAB_CALL(greedy) { out.set("token", int64_t(lab01::greedy(in.floats("logits")))); }

LAB_CALL(sampled) {
  out.set("token", int64_t(lab01::sampled(in.floats("logits"), in.floats("temperature").at(0),
                                          uint64_t(in.integer("seed")), in.integer("position"))));
}

LAB_CALL(naive_work) {
  const lab01::Work work = lab01::naive_work(in.integer("prompt"), in.integer("output"));
  out.set("forwarded", work.forwarded);
  out.set("recomputed", work.recomputed);
}
