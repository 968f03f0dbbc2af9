#include "kernels/simulator/runtime/warp_merge.h"

#include <algorithm>

namespace simt::runtime {

bool WarpMerge::Place::operator==(const Place& other) const {
  return std::equal(numbers, numbers + length, other.numbers, other.numbers + other.length);
}

bool WarpMerge::Place::operator<(const Place& other) const {
  return std::lexicographical_compare(numbers, numbers + length, other.numbers, other.numbers + other.length);
}

void WarpMerge::begin_launch() {
  graph_.clear();
  for (Trace& trace : traces_) trace.clear();
}

LaneSet WarpMerge::merge(unsigned first_thread, LaneSet cut) {
  LaneSet lanes = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if (!traces_[lane].records.empty()) lanes |= LaneSet{1} << lane;
  if (lanes != 0) {
    bool unequal = false;
    const size_t prefix = common_prefix(lanes, first_thread);
    find_nodes(lanes, first_thread, prefix);
    graph_.find_loops();
    for_each_lane(lanes, [&](unsigned lane) { unequal = unequal || traces_[lane].records.size() > prefix; });
    issue_prefix(lanes, prefix);
    if (prefix != 0 && (cut != 0 || unequal)) {
      Trace& first = traces_[lowest_lane(lanes)];
      for (size_t i = 0; i < prefix; ++i) enter(first, first.nodes[i], false);
      for_each_lane(lanes, [&](unsigned lane) { traces_[lane].loops = first.loops; });
    }
    if (unequal) issue_rest(lanes, cut);
  }
  for_each_lane(lanes, [&](unsigned lane) {
    Trace& trace = traces_[lane];
    trace.records.erase(trace.records.begin(), trace.records.begin() + ptrdiff_t(issued_[lane]));
    trace.nodes.erase(trace.nodes.begin(), trace.nodes.begin() + ptrdiff_t(issued_[lane]));
    trace.kept = !trace.records.empty();
    trace.cut_at = trace.records.size() + kCutAfter;
  });
  LaneSet may_go_on = 0;
  for_each_lane(cut, [&](unsigned lane) {
    if (!traces_[lane].kept) may_go_on |= LaneSet{1} << lane;
  });
  // All lanes have stopped by themselves, at a barrier, a collective or the end: they are aligned again.
  if (cut == 0)
    for (Trace& trace : traces_) trace.loops.clear();
  return may_go_on;
}

/// How many accesses all lanes have made alike. Most warps never part: then this is all.
size_t WarpMerge::common_prefix(LaneSet lanes, unsigned first_thread) const {
  const unsigned lowest = lowest_lane(lanes);
  const Trace& first = traces_[lowest];
  size_t prefix = first.records.size();
  for_each_lane(lanes, [&](unsigned lane) {
    const Trace& trace = traces_[lane];
    const bool aligned = trace.nodes.empty() && trace.loops == first.loops &&
                         last_node_[first_thread + lane] == last_node_[first_thread + lowest];
    const size_t most = aligned ? std::min(prefix, trace.records.size()) : 0;
    prefix = 0;
    while (prefix < most && trace.records[prefix].code == first.records[prefix].code) ++prefix;
  });
  return prefix;
}

void WarpMerge::find_nodes(LaneSet lanes, unsigned first_thread, size_t prefix) {
  const unsigned lowest = lowest_lane(lanes);
  const Trace& first = traces_[lowest];
  for_each_lane(lanes, [&](unsigned lane) {
    Trace& trace = traces_[lane];
    NodeId& last = last_node_[first_thread + lane];
    if (lane != lowest && prefix != 0) {
      trace.nodes.assign(first.nodes.begin(), first.nodes.begin() + ptrdiff_t(prefix));
      last = trace.nodes.back();
    }
    for (size_t i = trace.nodes.size(); i < trace.records.size(); ++i) {
      last = graph_.step(last, trace.records[i].code);
      trace.nodes.push_back(last);
    }
  });
}

void WarpMerge::issue_prefix(LaneSet lanes, size_t prefix) {
  const Record* group[kWarpSize];
  for (size_t i = 0; i < prefix; ++i) {
    unsigned count = 0;
    for_each_lane(lanes, [&](unsigned lane) { group[count++] = &traces_[lane].records[i]; });
    issue_(context_, traces_[lowest_lane(lanes)].nodes[i], group, count);
  }
  for_each_lane(lanes, [&](unsigned lane) { issued_[lane] = prefix; });
}

void WarpMerge::issue_rest(LaneSet lanes, LaneSet cut) {
  Place places[kWarpSize];
  LaneSet pending = 0;
  bool caught_up = false;  // a cut lane has no record left: nothing may be issued beyond it
  const auto arrive = [&](unsigned lane, bool again) {
    Trace& trace = traces_[lane];
    if (issued_[lane] < trace.records.size()) {
      const NodeId node = trace.nodes[issued_[lane]];
      enter(trace, node, again);
      places[lane] = place_of(trace, node);
      pending |= LaneSet{1} << lane;
    } else {
      pending &= ~(LaneSet{1} << lane);
      if (cut >> lane & 1) caught_up = true;
    }
  };
  for_each_lane(lanes, [&](unsigned lane) { arrive(lane, traces_[lane].kept); });
  while (!caught_up && pending != 0) {
    unsigned lowest = lowest_lane(pending);
    for_each_lane(pending, [&](unsigned lane) {
      if (places[lane] < places[lowest]) lowest = lane;
    });
    LaneSet together = 0;
    for_each_lane(pending, [&](unsigned lane) {
      if (lane == lowest || places[lane] == places[lowest]) together |= LaneSet{1} << lane;
    });
    const Record* group[kWarpSize];
    unsigned count = 0;
    const NodeId node = traces_[lowest].nodes[issued_[lowest]];
    for_each_lane(together, [&](unsigned lane) { group[count++] = &traces_[lane].records[issued_[lane]]; });
    issue_(context_, node, group, count);
    for_each_lane(together, [&](unsigned lane) {
      ++issued_[lane];
      arrive(lane, false);
    });
  }
}

/// The lane goes to `node`: leaves loops, enters loops, or begins the next iteration of one. `again`: it is there
/// already, and only waited.
void WarpMerge::enter(Trace& trace, NodeId node, bool again) {
  const std::vector<NodeId>& heads = graph_[node].loops;
  size_t shared = 0;
  while (shared < trace.loops.size() && shared < heads.size() && trace.loops[shared].head == heads[shared]) ++shared;
  trace.loops.resize(shared);
  const bool back_at_head = shared != 0 && shared == heads.size() && heads.back() == node;
  if (back_at_head && !again) ++trace.loops.back().iteration;
  while (trace.loops.size() < heads.size()) trace.loops.push_back({heads[trace.loops.size()], 0});
}

WarpMerge::Place WarpMerge::place_of(const Trace& trace, NodeId node) const {
  Place place;
  for (const Loop& loop : trace.loops) {
    if (place.length + 3 > Place::kMost) break;  // deeper nests than any kernel has
    place.numbers[place.length++] = graph_[loop.head].position;
    place.numbers[place.length++] = loop.iteration;
  }
  place.numbers[place.length++] = graph_[node].position;
  return place;
}

}  // namespace simt::runtime
