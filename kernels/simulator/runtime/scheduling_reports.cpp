#include "kernels/simulator/runtime/scheduling_reports.h"

#include <string>

#include <fmt/format.h>

#include "kernels/simulator/runtime/collectives.h"
#include "kernels/simulator/runtime/simulator.h"
#include "kernels/simulator/runtime/worker.h"

namespace simt::runtime {
namespace {

CodePlace waiting_place(const Lane& lane) { return {0, lane.site}; }

RawActor waiting(Worker& worker, const Lane& lane) {
  const std::string what = lane.state == LaneState::at_barrier ? "waits at __syncthreads"
                           : lane.state == LaneState::done     ? "has ended"
                                                               : std::string("waits at ") + name_of(lane.waits_for);
  return actor_of(worker, lane.number, lane.state == LaneState::done ? CodePlace{} : waiting_place(lane), what);
}

void add(Worker& worker, FindingKind kind, RawActor actor, std::optional<RawActor> other, std::string text,
         std::string hint) {
  FindingLog& log = simulator().findings;
  const void* kernel = worker.job().call.kernel;
  if (log.repeated(kind, kernel, actor.place, other ? other->place : CodePlace{})) return;
  log.add({kind, kernel, std::move(actor), std::move(other), std::move(text), std::move(hint)});
}

const Lane* first_lane(Worker& worker, const Warp& warp, LaneSet set) {
  return set == 0 ? nullptr : &worker.lane_of(warp, lowest_lane(set));
}

}  // namespace

void report_deadlock(Worker& worker, const Warp& warp) {
  const Lane& lane = *first_lane(worker, warp, warp.arrived);
  const Lane* missing = first_lane(worker, warp, lane.mask & warp.alive() & ~warp.arrived);
  std::string text = "a lane waits for lanes that never come: its mask names them";
  if (!missing) {
    const LaneSet differing = warp.arrived & ~lane.bit();
    for_each_lane(differing, [&](unsigned in_warp) {
      const Lane& other = worker.lane_of(warp, in_warp);
      if (!missing && other.mask != lane.mask) missing = &other;
    });
    text = "lanes of one warp wait for one another with different masks";
  }
  add(worker, FindingKind::deadlock, waiting(worker, lane),
      missing ? std::optional(waiting(worker, *missing)) : std::nullopt, text,
      "all lanes named in a mask must reach the same call: move it out of the branch, or narrow the mask on all of "
      "them");
}

void report_endless(Worker& worker, const CodePlace& place) {
  add(worker, FindingKind::endless_loop, actor_of(worker, place, "still runs"), std::nullopt,
      "a block does not end: an endless loop, or a wait for another block or warp",
      "blocks and warps may run one after the other in any order, so none may wait for another to write a flag "
      "(Config::seconds_per_block is the limit)");
}

void report_crash(Worker& worker, const Interruption& what) {
  const CodePlace place{what.code + 1};  // places are return addresses: one byte behind the instruction
  if (what.kind == Interruption::Kind::stack_overflow)
    add(worker, FindingKind::stack_overflow, actor_of(worker, place, "needs more stack"), std::nullopt,
        fmt::format("local arrays or recursion need more than the {} KiB of a thread", FiberPool::kStackBytes / 1024),
        "large arrays belong into shared or global memory, and a recursion into a loop");
  else
    add(worker, FindingKind::crash, actor_of(worker, place, "accesses it"), std::nullopt,
        fmt::format("address {:#x} belongs to nobody", what.address),
        "a checked build of the kernel tells more: which allocation was missed, and by how much");
}

void report_exception(Worker& worker) {
  add(worker, FindingKind::exception, actor_of(worker, {}, "throws"), std::nullopt, "a C++ exception left the kernel",
      "device code cannot throw; nvcc would reject it");
}

BarrierVerdict report_divergent_barrier(Worker& worker, const std::vector<Warp>& warps) {
  const Lane* first = nullptr;
  const Lane* other = nullptr;
  const Lane* ended = nullptr;
  for (const Warp& warp : warps) {
    if (!ended) ended = first_lane(worker, warp, warp.done);
    const Lane* lane = first_lane(worker, warp, warp.at_barrier);
    if (!lane) continue;
    if (!first) first = lane;
    if (!other && !same_place(lane->site, first->site)) other = lane;
    if (other || !warp.mixed_barriers) continue;
    for_each_lane(warp.at_barrier, [&](unsigned in_warp) {
      const Lane& candidate = worker.lane_of(warp, in_warp);
      if (!other && !same_place(candidate.site, first->site)) other = &candidate;
    });
  }
  if (other) {
    add(worker, FindingKind::divergent_barrier, waiting(worker, *first), waiting(worker, *other),
        "threads of one block wait at different __syncthreads",
        "every thread of the block must reach the same __syncthreads: move it out of the branch");
    return BarrierVerdict::stop;
  }
  if (ended) {
    add(worker, FindingKind::divergent_barrier, waiting(worker, *first), waiting(worker, *ended),
        "threads wait at a __syncthreads that others never reach, because they have ended",
        "is it inside a branch, or after a return? Let threads without work skip the work, not the barrier");
  }
  return BarrierVerdict::go_on;
}

}  // namespace simt::runtime
