/// @file
/// Puts the learner's scheduler into the stage's program: the functions of stages/4_continuous_batching/scheduler.cpp are
/// defined anew here, so that the linker never takes that file from the library. The queues, the K/V regions and the loop
/// stay the stage's; who computes what, and who is let in, is the learner's.
///
/// In the simulator the learner's gather_rows also takes the rows that go on to the head. What no run of `lab bench`
/// needs is left out: drafts, shared prefixes, preemption, and the check of limits that the program has done already.
#include <algorithm>

#include <fmt/format.h>

#include "continuous.h"
#include "kernels/check.h"
#include "kernels/device.h"
#include "stages/4_continuous_batching/scheduler.h"

namespace stagecraft {

Scheduler::Scheduler(const SchedulerOptions& options, KvStore& store) : options_(options), store_(store) {}

std::optional<std::string> Scheduler::add(Request& request, Priority priority) {
  std::optional<std::string> reason = store_.refusal(request.prompt_tokens + request.max_tokens - 1);
  if (reason) {
    request.finished = FinishReason::refused;
    return reason;
  }
  Entry& entry = entries_[request.id];
  entry = {.request = &request, .priority = priority, .arrival = arrivals_++};
  waiting_.push_back(&entry);
  return std::nullopt;
}

StepPlan Scheduler::plan(int64_t budget) {
  const auto seen_by_lab = [](const std::vector<Entry*>& queue) {
    std::vector<lab04::Request> requests;
    for (const Entry* entry : queue) {
      const Request& request = *entry->request;
      requests.push_back({request.id, request.prompt_tokens, int64_t(request.tokens.size()), request.num_computed,
                          entry->last_served, entry->overtaken});
    }
    return requests;
  };
  const auto taken_back = [&](const std::vector<lab04::Request>& requests) {
    std::vector<Entry*> queue;
    for (const lab04::Request& request : requests) {
      Entry& entry = entries_.at(int(request.id));
      entry.last_served = request.last_served;
      entry.overtaken = request.overtaken;
      queue.push_back(&entry);
    }
    return queue;
  };
  const int64_t overtakes = options_.policy == Policy::shortest_prompt_first ? options_.max_overtakes : 0;
  const lab04::Rules rules{
      [&](const lab04::Request& r, int64_t left) { return lab04::chunk_of(r, left, options_.max_chunk); },
      [&](std::span<const lab04::Request> waiting) { return lab04::next_waiting(waiting, overtakes); }};
  lab04::Batch batch{seen_by_lab(waiting_), seen_by_lab(running_), shares_given_};
  StepPlan plan;
  for (const lab04::Share& share : lab04::plan_step(batch, budget, options_.max_running, rules)) {
    Request& request = *entries_.at(int(share.id)).request;
    if (!store_.reserve(request, share.first + share.tokens)) {
      throw BadInput(
          fmt::format("plan_step lets request {} in, and all {} places are taken", share.id, options_.max_running),
          "labs/lab test lab04.t1 finds such plans");
    }
    plan.items.push_back({&request, share.first, share.tokens, share.logits ? 1 : 0});
  }
  waiting_ = taken_back(batch.waiting);
  running_ = taken_back(batch.running);
  shares_given_ = batch.shares_given;
  return plan;
}

void Scheduler::commit(const StepPlan& plan) {
  for (const StepItem& item : plan.items) {
    item.request->num_computed = item.first + item.tokens;
    if (item.request->finished) leave(entry_of(*item.request));
  }
}

void Scheduler::cancel(Request& request) {
  if (entries_.count(request.id) > 0) leave(entry_of(request));
}

void Scheduler::leave(Entry& entry) {
  std::erase(waiting_, &entry);
  std::erase(running_, &entry);
  store_.release(*entry.request);
  entries_.erase(entry.request->id);
}

Scheduler::Entry& Scheduler::entry_of(const Request& request) { return entries_.at(request.id); }

bool Scheduler::lets_in(const Request&) { return true; }

bool Scheduler::make_room(const Request&) { return false; }

std::unique_ptr<Device> original_make_device(std::string_view name, int threads) asm(
    "__real__ZN10stagecraft11make_deviceESt17basic_string_viewIcSt11char_traitsIcEEi");
std::unique_ptr<Device> make_device_with_lab(std::string_view name, int threads) asm(
    "__wrap__ZN10stagecraft11make_deviceESt17basic_string_viewIcSt11char_traitsIcEEi");

std::unique_ptr<Device> make_device_with_lab(std::string_view name, int threads) {
  std::unique_ptr<Device> device = original_make_device(name, threads);
  if (device->name() != "sim") return device;  // the learner's kernels run in the simulator
  device->kernels().gather_rows = [](const float* x, const int32_t* wanted, float* out, int count, int width, Stream) {
    lab04::gather_rows(x, wanted, out, count, width);
  };
  return device;
}

}  // namespace stagecraft
