#include "kernels/simulator/runtime/worker.h"

#include <numeric>
#include <tuple>

#include "kernels/simulator/runtime/collectives.h"
#include "kernels/simulator/runtime/host_memory.h"
#include "kernels/simulator/runtime/scheduling_reports.h"
#include "kernels/simulator/runtime/simulator.h"
#include "kernels/simulator/runtime/symbols.h"
#include "kernels/simulator/runtime/tracer.h"

namespace simt::runtime {

constinit thread_local Worker* Worker::running_ = nullptr;

Worker::Worker() : dynamic_shared_(reserve_host_memory(kMostDynamicShared)), fibers_(&Worker::fiber_main) {
  static std::atomic<uint64_t> made{0};
  id_ = ++made;
  std::tie(image_begin_, image_end_) = program_image();
}

Worker::~Worker() { release_host_memory(dynamic_shared_, kMostDynamicShared); }

Worker& Worker::of_this_thread() {
  static thread_local Worker worker;
  return worker;
}

void Worker::run(Job& job, Tracer* tracer) {
  job_ = &job;
  tracer_ = tracer;
  overdue = false;
  interrupts_.arm(simulator().config.seconds_per_block);
  running_ = this;
  if (fibers_are_stale_) fibers_.reset();
  lanes_.resize(job.warps * kWarpSize);
  warps_.resize(job.warps);
  warp_order_.resize(job.warps);
  for (unsigned t = 0; t < job.threads; ++t) {
    lanes_[t].number = t;
    lanes_[t].index = job.thread_at(t);
  }
  while (!job.stopped) {
    const uint64_t next = job.next_block.fetch_add(1);
    if (next >= job.blocks) break;
    run_block(job.block_order.empty() ? next : job.block_order[next]);
  }
  fibers_are_stale_ = job.stopped;  // some may have been left in the middle
  running_ = nullptr;
  job_ = nullptr;
  tracer_ = nullptr;
}

void Worker::run_block(uint64_t number) {
  block_number_ = number;
  block_index_ = job_->block_at(number);
  ++blocks_begun_;
  start_block();
  do {
    for (const unsigned w : warp_order_) {
      if (warps_[w].runnable != 0) run_warp(warps_[w]);
      if (job_->stopped) return;
    }
  } while (release_barrier());
}

void Worker::start_block() {
  for (unsigned w = 0; w < job_->warps; ++w) {
    const unsigned lanes = std::min(kWarpSize, job_->threads - w * kWarpSize);
    const LaneSet all = lanes == kWarpSize ? ~LaneSet{0} : (LaneSet{1} << lanes) - 1;
    Warp& warp = warps_[w];
    warp.exists = warp.runnable = warp.not_started = all;
    warp.done = warp.at_barrier = warp.arrived = 0;
    warp.uniform = true;
    warp.mixed_barriers = false;
    warp.first_thread = w * kWarpSize;
  }
  std::iota(warp_order_.begin(), warp_order_.end(), 0u);
  if (job_->seed != 0) {
    random_.seed(job_->seed + block_number_);
    for (size_t i = warp_order_.size(); i > 1; --i) std::swap(warp_order_[i - 1], warp_order_[random_() % i]);
  }
  if (tracer_) tracer_->begin_block(*this);
}

Lane& Worker::next_lane(Warp& warp) {
  const unsigned in_warp = lowest_lane(warp.runnable);
  Lane& lane = lane_of(warp, in_warp);
  if (warp.not_started & lane.bit()) {
    warp.not_started &= ~lane.bit();
    lane.fiber = fibers_.take();
    lane.state = LaneState::ready;
  }
  return lane;
}

void Worker::run_warp(Warp& warp) {
  warp_ = &warp;
  do {
    while (warp.runnable != 0) {
      lane_ = &next_lane(warp);
      simt_switch_by_jump(&scheduler_, lane_->fiber->saved);
      lane_ = nullptr;
      if (job_->stopped) return;
    }
  } while (tracer_ && tracer_->merge(*this, warp));  // true: it woke lanes whose traces had been cut
  if (warp.arrived != 0) {
    report_deadlock(*this, warp);
    job_->stop(cudaErrorLaunchFailure);
  }
}

void Worker::park() {
  Lane& waiting = *lane_;
  if (warp_->runnable == 0) {
    simt_switch_by_jump(&waiting.fiber->saved, scheduler_);
    return;
  }
  lane_ = &next_lane(*warp_);
  simt_switch_by_return(&waiting.fiber->saved, lane_->fiber->saved);
}

void Worker::abandon(cudaError_t why) {
  busy = true;
  job_->stop(why);
  simt_switch_by_jump(&lane_->fiber->saved, scheduler_);
  __builtin_unreachable();
}

void Worker::give_up(const CodePlace& place) {
  busy = true;
  report_endless(*this, place);
  abandon(cudaErrorLaunchTimeout);
}

// A signal handler has sent the fiber here (interrupts.cpp).
void Worker::interrupted() {
  Worker& worker = *running_;
  worker.busy = true;
  const Interruption& what = worker.interruption;
  // Places are return addresses: one byte behind the instruction that is meant.
  if (what.kind == Interruption::Kind::overdue) worker.give_up({what.code + 1});
  report_crash(worker, what);
  worker.abandon(cudaErrorIllegalAddress);
}

void Worker::fiber_main() {
  for (;;) running_->run_lanes_on_this_fiber();
}

// Runs one thread of the grid, then what follows in its warp: a kernel that never waits needs one fiber a warp.
void Worker::run_lanes_on_this_fiber() {
  bool threw = false;
  busy = false;
  try {
    job_->call.call(job_->call.arguments);
  } catch (...) {
    threw = true;  // a switch inside a catch block would mix up the exceptions of two fibers
  }
  busy = true;
  Lane& ended = *lane_;
  Warp& warp = *warp_;
  if (threw) {
    report_exception(*this);
    abandon(cudaErrorLaunchFailure);
  }
  ended.state = LaneState::done;
  warp.done |= ended.bit();
  warp.runnable &= ~ended.bit();
  if (warp.arrived != 0) complete_if_all_arrived(*this, warp);  // it may have been the last one missing
  const LaneSet next = warp.runnable & (~warp.runnable + 1);
  if ((next & warp.not_started) != 0 && !job_->stopped) {
    warp.not_started &= ~next;
    lane_ = &lane_of(warp, lowest_lane(next));
    lane_->fiber = ended.fiber;
    lane_->state = LaneState::ready;
    return;  // fiber_main calls again, for that lane
  }
  fibers_.give_back(ended.fiber);
  park();
}

// No warp can go on without the others. Lets all go; false, if no thread is left.
bool Worker::release_barrier() {
  LaneSet waiting = 0;
  for (const Warp& warp : warps_) waiting |= warp.at_barrier;
  if (waiting == 0) return false;
  if (report_divergent_barrier(*this, warps_) == BarrierVerdict::stop) {
    job_->stop(cudaErrorLaunchFailure);
    return false;
  }
  for (Warp& warp : warps_) {
    warp.runnable = warp.at_barrier;
    warp.at_barrier = 0;
  }
  if (tracer_) tracer_->pass_barrier();
  return true;
}

}  // namespace simt::runtime
