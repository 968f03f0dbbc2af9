#include "kernels/simulator/runtime/collectives.h"

#include <algorithm>

#include "kernels/simulator/runtime/collective_reports.h"
#include "kernels/simulator/runtime/tracer.h"
#include "kernels/simulator/runtime/worker.h"

namespace simt::runtime {
namespace {

using detail::Collective;

bool is_shuffle(Collective kind) { return kind >= Collective::shuffle && kind <= Collective::shuffle_xor; }

/// The lane whose value `lane` gets. Shuffles go within groups of `width` lanes; one that would leave the group gets
/// its own value (CUDA C++ programming guide, warp shuffle functions).
unsigned source_lane(Collective kind, int lane, int argument, int width) {
  const int first = lane & ~(width - 1);
  const int end = first + width;
  int source = lane;
  if (kind == Collective::shuffle) source = first + (argument & (width - 1));
  if (kind == Collective::shuffle_xor) source = lane ^ argument;
  if (kind == Collective::shuffle_up) source = lane - argument;
  if (kind == Collective::shuffle_down) source = lane + argument;
  // xor may look at lower groups, but not beyond its own (the guide's segment mask).
  const int lowest = kind == Collective::shuffle_xor ? 0 : first;
  return static_cast<unsigned>(source < lowest || source >= end ? lane : source);
}

uint32_t combine(Collective kind, uint32_t a, uint32_t b) {
  switch (kind) {
    case Collective::reduce_add:
      return a + b;
    case Collective::reduce_min_unsigned:
      return std::min(a, b);
    case Collective::reduce_max_unsigned:
      return std::max(a, b);
    case Collective::reduce_min_signed:
      return uint32_t(std::min(int32_t(a), int32_t(b)));
    case Collective::reduce_max_signed:
      return uint32_t(std::max(int32_t(a), int32_t(b)));
    case Collective::reduce_and:
      return a & b;
    case Collective::reduce_xor:
      return a ^ b;
    default:
      return a | b;  // reduce_or; ballot, whose values are shifted to their place
  }
}

void shuffle(Worker& worker, Warp& warp, LaneSet taking_part) {
  LaneSet sources = 0;
  for_each_lane(taking_part, [&](unsigned lane) {
    sources |= LaneSet{1} << warp.source[lane];
    warp.result[lane] = warp.value[warp.source[lane]];
  });
  if ((sources & ~taking_part) == 0) return;
  constexpr uint64_t kUndefined = 0x7FC0DEAD7FC0DEAD;  // a NaN as fp32 and as bf16
  for_each_lane(taking_part, [&](unsigned lane) {
    if (taking_part >> warp.source[lane] & 1) return;
    warp.result[lane] = kUndefined;
    report_absent_source(worker, worker.lane_of(warp, lane), warp.source[lane]);
  });
}

void reduce(Warp& warp, LaneSet taking_part, Collective kind) {
  uint32_t total = 0;
  bool first = true;
  for_each_lane(taking_part, [&](unsigned lane) {
    const uint32_t value = uint32_t(warp.value[lane]) << (kind == Collective::ballot ? lane : 0);
    total = first ? value : combine(kind, total, value);
    first = false;
  });
  for_each_lane(taking_part, [&](unsigned lane) { warp.result[lane] = total; });
}

void exchange_pointers(Warp& warp, LaneSet taking_part) {
  void* lanes[kWarpSize] = {};
  for_each_lane(taking_part, [&](unsigned lane) { lanes[lane] = reinterpret_cast<void*>(warp.value[lane]); });
  warp.exchange(lanes);
}

void complete(Worker& worker, Warp& warp, LaneSet mask) {
  const LaneSet taking_part = mask & warp.arrived;
  const Collective kind = worker.lane_of(warp, lowest_lane(taking_part)).waits_for;
  if (!warp.uniform) report_different_calls(worker, warp, taking_part);
  if (is_shuffle(kind)) {
    shuffle(worker, warp, taking_part);
  } else if (kind == Collective::exchange) {
    exchange_pointers(warp, taking_part);
  } else if (kind != Collective::sync) {
    reduce(warp, taking_part, kind);
  }
  if (worker.tracer()) worker.tracer()->count_collective(kind, warp, (warp.alive() & ~mask) == 0);
  warp.arrived &= ~taking_part;
  warp.runnable |= taking_part;
}

bool all_arrived(Worker& worker, Warp& warp, LaneSet mask) {
  const LaneSet needed = mask & warp.alive();
  if (needed == 0 || (warp.arrived & needed) != needed) return false;
  if (warp.uniform) return true;
  bool agree = true;
  for_each_lane(needed, [&](unsigned lane) { agree = agree && worker.lane_of(warp, lane).mask == mask; });
  return agree;
}

}  // namespace

bool same_place(Site a, Site b) { return a.line == b.line && (a.file == b.file || strcmp(a.file, b.file) == 0); }

const char* name_of(Collective kind) {
  switch (kind) {
    case Collective::sync:
      return "__syncwarp";
    case Collective::shuffle:
      return "__shfl_sync";
    case Collective::shuffle_up:
      return "__shfl_up_sync";
    case Collective::shuffle_down:
      return "__shfl_down_sync";
    case Collective::shuffle_xor:
      return "__shfl_xor_sync";
    case Collective::ballot:
      return "__ballot_sync";
    case Collective::exchange:
      return "simt::collective_fn";
    default:
      return "__reduce_sync";
  }
}

void complete_if_all_arrived(Worker& worker, Warp& warp) {
  const LaneSet mask = worker.lane_of(warp, lowest_lane(warp.arrived)).mask;
  if (all_arrived(worker, warp, mask)) complete(worker, warp, mask);
}

}  // namespace simt::runtime

namespace simt::detail {

using namespace simt::runtime;

void barrier(Site site) {
  Worker& worker = *Worker::running();
  Lane& lane = *worker.lane();
  Warp& warp = worker.warp();
  worker.busy = true;
  worker.require_time({0, site});
  if (warp.at_barrier != 0) {
    const Lane& earlier = worker.lane_of(warp, lowest_lane(warp.at_barrier));
    if (!same_place(earlier.site, site)) warp.mixed_barriers = true;
  } else {
    warp.mixed_barriers = false;
  }
  lane.state = LaneState::at_barrier;
  lane.site = site;
  warp.at_barrier |= lane.bit();
  warp.runnable &= ~lane.bit();
  worker.park();
  worker.busy = false;
}

uint64_t collective(Collective kind, unsigned mask, uint64_t value, int argument, int width, Site site) {
  Worker& worker = *Worker::running();
  Lane& lane = *worker.lane();
  Warp& warp = worker.warp();
  const unsigned in_warp = lane.in_warp();
  worker.busy = true;
  worker.require_time({0, site});
  if ((mask & lane.bit()) == 0) {
    report_excluded_caller(worker, kind, mask, site);
    worker.busy = false;
    return value;
  }
  if (warp.arrived == 0) {
    warp.uniform = true;
  } else if (warp.uniform) {
    const Lane& earlier = worker.lane_of(warp, lowest_lane(warp.arrived));
    warp.uniform = earlier.mask == mask && earlier.waits_for == kind && same_place(earlier.site, site);
  }
  lane.waits_for = kind;
  lane.mask = mask;
  lane.site = site;
  warp.value[in_warp] = value;
  warp.source[in_warp] = static_cast<uint8_t>(source_lane(kind, static_cast<int>(in_warp), argument, width));
  warp.arrived |= lane.bit();
  if (all_arrived(worker, warp, mask)) {
    complete(worker, warp, mask);
    worker.busy = false;
    return warp.result[in_warp];
  }
  lane.state = LaneState::in_collective;
  warp.runnable &= ~lane.bit();
  worker.park();
  worker.busy = false;
  return warp.result[in_warp];
}

void exchange(unsigned mask, void* mine, Exchange function, Site site) {
  Worker::running()->warp().exchange = function;
  collective(Collective::exchange, mask, reinterpret_cast<uint64_t>(mine), 0, kWarpSize, site);
}

}  // namespace simt::detail
