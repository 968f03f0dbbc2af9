/// @file
/// Puts the learner's functions into stage 3. The linker's --wrap sends calls of make_device here, and the simulated
/// device's linear and attention become the learner's. This file also defines all of stages/3_batching/engine.cpp anew,
/// so the linker never takes that one from the stage's library: the loop over the batches is the learner's. The stage's own
/// laws (batching_work) stop the program if it takes other steps or counts other padding.
#include <algorithm>
#include <deque>

#include "batching.h"
#include "kernels/check.h"
#include "kernels/device.h"
#include "kernels/simulator/runtime_api.h"
#include "stages/3_batching/engine.h"
#include "stages/core/slot_kv_store.h"

namespace stagecraft {

std::unique_ptr<Device> original_make_device(std::string_view name, int threads) asm(
    "__real__ZN10stagecraft11make_deviceESt17basic_string_viewIcSt11char_traitsIcEEi");
std::unique_ptr<Device> make_device_with_lab(std::string_view name, int threads) asm(
    "__wrap__ZN10stagecraft11make_deviceESt17basic_string_viewIcSt11char_traitsIcEEi");

namespace {

/// What the device had before: for types, biases and windows that the lab leaves out.
Kernels& original() {
  static Kernels kernels;
  return kernels;
}

void linear(const float* x, WeightView weight, WeightView bias, float* out, int rows, int in, int out_width,
            Stream stream) {
  if (weight.type != NumberType::bf16 || bias.data) {
    return original().linear(x, weight, bias, out, rows, in, out_width, stream);
  }
  lab03::linear(x, static_cast<const bf16*>(weight.data), out, rows, in, out_width);
}

void attention(const float* q, KvView kv, const RaggedRows& who, float* out, const AttentionShape& shape,
               float* scratch, Stream stream) {
  const auto* address = std::get_if<ContiguousAddress>(&kv.address);
  if (!address || kv.type != NumberType::bf16 || shape.window != kNoWindow || shape.head_dim > lab03::kMaxHeadDim) {
    return original().attention(q, kv, who, out, shape, scratch, stream);
  }
  lab03::attention(q, static_cast<const bf16*>(kv.keys), static_cast<const bf16*>(kv.values),
                   {who.sequence, who.positions, address->first_slot, who.rows}, out, shape.heads, shape.kv_heads,
                   shape.head_dim, shape.scale);
}

/// The requests of a run as the learner's loop sees them.
class RunService final : public lab03::Service {
 public:
  RunService(EngineRun& run, KvStore& store) : run_(run), store_(store) {}

  std::vector<int> gather(int most) override {
    std::vector<int> batch;
    for (; next_ < run_.requests().size() && int(batch.size()) < most; ++next_) {
      Generation& generation = run_.requests()[next_];
      if (batch.empty() && !generation.finished()) run_.wait_for(generation.request());
      if (run_.is_over(generation)) continue;
      if (!run_.has_arrived(generation.request())) break;
      check(store_.reserve(generation.request(), 0), "a batch has no more requests than there are places");
      batch.push_back(int(next_));
    }
    return batch;
  }

  bool ended(int request) override { return run_.is_over(at(request)); }

  void step(const std::vector<int>& requests, int padded) override {
    StepPlan plan;
    for (const int index : requests) {
      Request& request = at(index).request();
      check(store_.reserve(request, int64_t(request.tokens.size())), "a region holds the longest request");
      plan.items.push_back(catch_up(request));
    }
    run_.forward(plan);
    run_.latest_step().padded_slots = padded;
    run_.deliver(plan, run_.sample(plan));
    advance(plan);
  }

  void release(int request) override { store_.release(at(request).request()); }

 private:
  Generation& at(int request) { return run_.requests().at(size_t(request)); }

  EngineRun& run_;
  KvStore& store_;
  size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Device> make_device_with_lab(std::string_view name, int threads) {
  std::unique_ptr<Device> device = original_make_device(name, threads);
  if (device->name() != "sim") return device;  // the learner's kernels run in the simulator
  original() = device->kernels();
  device->kernels().linear = linear;
  device->kernels().attention = attention;
  return device;
}

StaticBatchEngine::StaticBatchEngine(int batch) : batch_(batch) {
  if (batch < 1) throw BadInput("a batch of no requests serves nobody", "1 is the smallest that works");
}

int StaticBatchEngine::places(const std::vector<Job>& jobs) const {
  return int(std::clamp<size_t>(jobs.size(), 1, size_t(batch_)));
}

int64_t StaticBatchEngine::kv_slots(const std::vector<Job>& jobs, const KvMemory&) const {
  return places(jobs) * most_stored(jobs);
}

RunLog StaticBatchEngine::run(const RunInput& input) {
  SlotKvStore store({.max_running = places(input.jobs),
                     .slots_per_request = most_stored(input.jobs),
                     .bytes_per_token = input.model.config().kv_bytes_per_token(input.pool.type())});
  EngineRun run(input, store);
  RunService service(run, store);
  lab03::serve_in_batches(service, places(input.jobs));
  return run.finish();
}

}  // namespace stagecraft
