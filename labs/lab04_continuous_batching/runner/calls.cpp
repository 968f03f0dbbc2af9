/// @file
/// Lab 4 in the learner's process: arrays of integers become requests and traces; kernels get device memory.
#include "labs/support/calls.h"

#include "labs/lab04_continuous_batching/runner/wire.h"
#include "labs/support/device_vector.h"

namespace {

using namespace lab04;
using stagecraft::labs::as_integers;
using stagecraft::labs::DeviceVector;

DeviceVector<int32_t> on_device(const Integers& values) {
  return DeviceVector<int32_t>(stagecraft::labs::as<int32_t>(values));
}

std::function<Share(const Request&, int64_t)> share_rule(const Message& in) {
  switch (ShareRule(in.integer("share_rule"))) {
    case ShareRule::whole_prompt:
      return whole_prompt;
    case ShareRule::as_much_as_is_left:
      return [](const Request& request, int64_t left) {
        const int64_t tokens = std::min(request.pending(), left);
        return Share{request.id, request.computed, tokens, tokens == request.pending()};
      };
    case ShareRule::chunk_of:
      break;
  }
  return [most = in.integer("max_chunk")](const Request& r, int64_t left) { return chunk_of(r, left, most); };
}

std::function<size_t(std::span<const Request>)> next_rule(const Message& in) {
  switch (NextRule(in.integer("next_rule"))) {
    case NextRule::first_come:
      return first_come;
    case NextRule::last_come:
      return [](std::span<const Request> waiting) { return waiting.size() - 1; };
    case NextRule::next_waiting:
      break;
  }
  return [most = in.integer("max_overtakes")](std::span<const Request> waiting) { return next_waiting(waiting, most); };
}

}  // namespace

LAB_CALL(plan_step) {
  Batch batch = batch_from(in);
  out.set("plan",
          flat(plan_step(batch, in.integer("budget"), in.integer("max_running"), {share_rule(in), next_rule(in)})));
  set_batch(out, batch);
}

LAB_CALL(chunk_of) {
  out.set(
      "plan",
      flat(Plan{chunk_of(requests_from(in.integers("request")).at(0), in.integer("left"), in.integer("max_chunk"))}));
}

LAB_CALL(commit) {
  Batch batch = batch_from(in);
  commit(batch, plan_from(in.integers("plan")));
  set_batch(out, batch);
}

LAB_CALL(next_waiting) {
  const std::vector<Request> waiting = requests_from(in.integers("waiting"));
  out.set("next", int64_t(next_waiting(waiting, in.integer("max_overtakes"))));
}

LAB_CALL(serve) {
  const Integers &at = in.integers("at_ns"), &prompts = in.integers("prompts"), &outputs = in.integers("outputs");
  std::vector<Arrival> arrivals;
  for (size_t i = 0; i < at.size(); ++i) arrivals.push_back({at[i], prompts[i], outputs[i]});
  const Integers &limits = in.integers("limits"), &cost = in.integers("cost");
  Integers counts, times;
  for (const Integers& tokens :
       serve(arrivals, {limits[0], limits[1], limits[2], limits[3]}, {cost[0], cost[1], cost[2]})) {
    counts.push_back(int64_t(tokens.size()));
    times.insert(times.end(), tokens.begin(), tokens.end());
  }
  out.set("counts", counts).set("times", times);
}

LAB_CALL(judge) {
  const Verdict verdict = judge(trace_from(in));
  out.set("step", verdict.step).set("what", int64_t(verdict.what));
}

LAB_CALL(expand_rows) {
  const Integers& starts = in.integers("query_start");
  const DeviceVector<int32_t> query_start = on_device(starts), first = on_device(in.integers("first"));
  DeviceVector<int32_t> sequence(size_t(starts.back())), position(size_t(starts.back()));
  sequence.must_be_written();
  position.must_be_written();
  expand_rows(query_start.data(), first.data(), sequence.data(), position.data(), int(starts.back()),
              int(starts.size()) - 1);
  out.set("sequence", as_integers(sequence.host())).set("position", as_integers(position.host()));
}

LAB_CALL(gather_rows) {
  const DeviceVector<float> x(in.floats("x"));
  const DeviceVector<int32_t> wanted = on_device(in.integers("wanted"));
  const size_t count = in.integers("wanted").size(), width = size_t(in.integer("width"));
  DeviceVector<float> gathered(count * width);
  gathered.must_be_written();
  gather_rows(x.data(), wanted.data(), gathered.data(), int(count), int(width));
  out.set("out", gathered.host());
}
