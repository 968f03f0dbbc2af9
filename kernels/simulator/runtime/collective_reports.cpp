#include "kernels/simulator/runtime/collective_reports.h"

#include <fmt/format.h>

#include "kernels/simulator/runtime/collectives.h"
#include "kernels/simulator/runtime/simulator.h"
#include "kernels/simulator/runtime/worker.h"

namespace simt::runtime {

void report_absent_source(Worker& worker, const Lane& reader, unsigned source) {
  FindingLog& log = simulator().findings;
  const void* kernel = worker.job().call.kernel;
  const CodePlace place{0, reader.site};
  if (log.repeated(FindingKind::absent_lane, kernel, place)) return;
  log.add(
      {FindingKind::absent_lane, kernel,
       actor_of(worker, reader.number, place, fmt::format("calls {}", name_of(reader.waits_for))), std::nullopt,
       fmt::format("lane {} reads lane {}, which does not take part: the value is undefined", reader.in_warp(), source),
       "read only from lanes that are in the mask and call the same shuffle; use `width` for groups below 32"});
}

void report_different_calls(Worker& worker, const Warp& warp, LaneSet taking_part) {
  FindingLog& log = simulator().findings;
  const void* kernel = worker.job().call.kernel;
  const Lane& first = worker.lane_of(warp, lowest_lane(taking_part));
  const CodePlace place{0, first.site};
  for_each_lane(taking_part, [&](unsigned in_warp) {
    const Lane& lane = worker.lane_of(warp, in_warp);
    if (lane.waits_for == first.waits_for && same_place(lane.site, first.site)) return;
    const CodePlace other{0, lane.site};
    if (log.repeated(FindingKind::warp_mismatch, kernel, place, other)) return;
    log.add(
        {FindingKind::warp_mismatch, kernel,
         actor_of(worker, first.number, place, fmt::format("calls {}", name_of(first.waits_for))),
         actor_of(worker, lane.number, other, fmt::format("calls {}", name_of(lane.waits_for))),
         "lanes named in one mask meet at different calls",
         "all lanes of a mask must execute the same call: take it out of the branch, or give each side its own mask"});
  });
}

void report_excluded_caller(Worker& worker, detail::Collective kind, LaneSet mask, Site site) {
  FindingLog& log = simulator().findings;
  const void* kernel = worker.job().call.kernel;
  const CodePlace place{0, site};
  if (log.repeated(FindingKind::warp_mismatch, kernel, place)) return;
  log.add({FindingKind::warp_mismatch, kernel, actor_of(worker, place, fmt::format("calls {}", name_of(kind))),
           std::nullopt,
           fmt::format("lane {} calls it, but the mask {:#010x} leaves that lane out", worker.lane()->in_warp(), mask),
           "the mask names all lanes that call: compute it before the branch, for example with __ballot_sync"});
}

}  // namespace simt::runtime
