#include "kernels/simulator/runtime/tracer.h"

#include "kernels/simulator/runtime/access_reports.h"
#include "kernels/simulator/runtime/memory_counts.h"
#include "kernels/simulator/runtime/simulator.h"
#include "kernels/simulator/runtime/worker.h"

namespace simt::runtime {
namespace {

MemoryOperation operation_of(uint64_t flags) {
  const bool shared = (flags & kShared) != 0;
  if (flags & kAtomic) return shared ? MemoryOperation::shared_atomic : MemoryOperation::global_atomic;
  if (flags & kWrite) return shared ? MemoryOperation::shared_store : MemoryOperation::global_store;
  return shared ? MemoryOperation::shared_load : MemoryOperation::global_load;
}

}  // namespace

Tracer::Tracer(Simulator& simulator, char* dynamic_shared)
    : simulator_(simulator),
      global_(simulator.memory, simulator.written),
      shared_(dynamic_shared, Symbols::of_this_program()),
      merge_([](void* self, NodeId node, const Record* const* lanes,
                unsigned count) { static_cast<Tracer*>(self)->count_request(node, lanes, count); },
             this) {}

void Tracer::begin_launch(const Job& job, bool races) {
  races_ = races;
  arguments_begin_ = reinterpret_cast<uintptr_t>(job.call.arguments);
  argument_bytes_ = job.call.argument_bytes;
  ++launch_;
  if (const size_t sectors = simulator_.memory.used_bytes() / kSectorBytes; sectors > loaded_.size()) {
    loaded_ = SectorStamps(2 * sectors);
    stored_ = SectorStamps(2 * sectors);
  }
  global_.begin_launch();
  if (segments_.begin_launch()) {
    global_.forget_touches();
    shared_.forget_touches();
  }
  merge_.begin_launch();
  counts_.totals = KernelProfile{};
  counts_.totals.launches = 1;
  counts_.totals.blocks = job.blocks;
  counts_.totals.threads = job.blocks * job.threads;
  counts_.instructions.clear();
}

void Tracer::end_launch(const Job& job) {
  simulator_.profile.add(job.call.kernel, counts_);
  if (job.stopped)
    simulator_.outputs.forget();  // the fault is the finding
  else
    simulator_.outputs.settle(simulator_, job.call.kernel);
}

void Tracer::begin_block(const Worker& worker) {
  segments_.begin_block(worker.block_number(), worker.job().warps);
  shared_.begin_block(worker.job().dynamic_shared_bytes);
  merge_.begin_block(worker.job().warps * kWarpSize);
}

void Tracer::pass_barrier() {
  segments_.pass_barrier();
  ++counts_.totals.barriers;
}

void Tracer::count_collective(detail::Collective kind, const Warp& warp, bool all_lanes) {
  if (kind != detail::Collective::sync) {
    ++counts_.totals.shuffles;
    return;
  }
  ++counts_.totals.warp_barriers;
  // A barrier of some lanes only is not followed: segments are of whole warps.
  if (all_lanes) segments_.pass_warp_barrier(warp.first_thread / kWarpSize);
}

bool Tracer::merge(Worker& worker, Warp& warp) {
  LaneSet cut = 0;
  for_each_lane(warp.alive(), [&](unsigned lane) {
    if (worker.lane_of(warp, lane).state == LaneState::cut) cut |= LaneSet{1} << lane;
  });
  const LaneSet may_go_on = merge_.merge(warp.first_thread, cut);
  for_each_lane(may_go_on, [&](unsigned lane) { worker.lane_of(warp, lane).state = LaneState::ready; });
  warp.runnable |= may_go_on;
  return may_go_on != 0;
}

void Tracer::access(Worker& worker, const Access& access) {
  if (simulator_.memory.contains(access.address)) {
    global_.check(worker, access, segments_, races_);
    record(worker, access);
    return;
  }
  if (shared_.contains(access.address)) {
    Access shared = access;
    shared.flags |= kShared;
    if (shared_.check(worker, shared, segments_, races_)) record(worker, shared);
    return;
  }
  // Parameters, __constant__ variables and literals come from the constant cache or the instruction itself.
  if (access.address - arguments_begin_ < argument_bytes_) return;
  if (Symbols::of_this_program().image_holds(access.address)) return;
  report_host_address(worker, access);
  worker.abandon(cudaErrorIllegalAddress);
}

void Tracer::record(Worker& worker, const Access& access) {
  Lane& lane = *worker.lane();
  if (!merge_.record(lane.in_warp(), Record(access))) return;
  lane.state = LaneState::cut;
  worker.warp().runnable &= ~lane.bit();
  worker.park();
}

void Tracer::count_request(NodeId node, const Record* const* lanes, unsigned count) {
  const uint64_t flags = lanes[0]->flags;
  const MemoryOperation operation = operation_of(flags);
  const MemoryCounts counts = is_shared(operation) ? count_shared(lanes, count) : count_global(lanes, count);
  if (node >= counts_.instructions.size()) counts_.instructions.resize(merge_.graph().size());
  LaunchCounts::Instruction& instruction = counts_.instructions[node];
  instruction.code = lanes[0]->code;
  instruction.operation = operation;
  instruction.counts += counts;
  counts_.totals.memory[int(operation)] += counts;
  if (is_shared(operation)) return;
  if (operation != MemoryOperation::global_store) touch_sectors(lanes, count, false);
  if (operation != MemoryOperation::global_load) touch_sectors(lanes, count, true);
}

void Tracer::touch_sectors(const Record* const* lanes, unsigned count, bool store) {
  SectorStamps& stamps = store ? stored_ : loaded_;
  uint64_t& touched = store ? counts_.totals.sectors_touched_by_stores : counts_.totals.sectors_touched_by_loads;
  for (unsigned i = 0; i < count; ++i) {
    uint32_t& stamp = stamps[(lanes[i]->address - simulator_.memory.low()) / kSectorBytes];
    if (stamp != launch_) ++touched;
    stamp = launch_;
  }
}

}  // namespace simt::runtime
