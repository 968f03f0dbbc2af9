/// @file
/// Lab 0 in the learner's process: device memory in, device memory out.
#include "labs/support/calls.h"

#include "labs/support/device_vector.h"
#include "warmup.h"

using stagecraft::labs::DeviceVector;

LAB_CALL(vector_add) {
  const DeviceVector<float> a(in.floats("a")), b(in.floats("b"));
  DeviceVector<float> sum(in.floats("a").size());
  sum.must_be_written();
  lab00::vector_add(a.data(), b.data(), sum.data(), int(in.floats("a").size()));
  out.set("sum", sum.host());
}

LAB_CALL(scale_rows) {
  const DeviceVector<float> x(in.floats("x")), factors(in.floats("factors"));
  DeviceVector<float> scaled(in.floats("x").size());
  scaled.must_be_written();
  lab00::scale_rows(x.data(), factors.data(), scaled.data(), int(in.integer("rows")), int(in.integer("width")));
  out.set("out", scaled.host());
}

LAB_CALL(sum) {
  const DeviceVector<float> x(in.floats("x")), sum(std::vector<float>{0.0f});
  lab00::sum(x.data(), sum.data(), int(in.floats("x").size()));
  out.set("sum", sum.host());
}

LAB_CALL(smooth) {
  const DeviceVector<float> x(in.floats("x"));
  DeviceVector<float> smoothed(in.floats("x").size());
  smoothed.must_be_written();
  lab00::smooth(x.data(), smoothed.data(), int(in.floats("x").size()));
  out.set("out", smoothed.host());
}
