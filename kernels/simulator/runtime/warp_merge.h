#pragma once
/// @file
/// From the accesses of single lanes to the instructions of a warp.
///
/// The lanes of a warp run one after the other here, each leaving a trace. On a GPU they run together, and those at the
/// same instruction make one request. Which ones would have been together? The rule: a lane's place in the program is
/// (loop, iteration) for each loop around it, then the instruction; lanes at the same place are together, and places
/// are issued in their order. That is execution with reconvergence after every branch and every iteration: the best a
/// GPU can do. It depends neither on the layout of the code nor on the compiler.
#include <vector>

#include "kernels/simulator/runtime/access.h"
#include "kernels/simulator/runtime/block_state.h"
#include "kernels/simulator/runtime/flow_graph.h"

namespace simt::runtime {

class WarpMerge {
 public:
  /// A lane that has recorded so many accesses is stopped until the others have caught up: bounds the memory.
  static constexpr size_t kCutAfter = 512;

  /// Called for each request of the warp: its node, and what each lane that takes part accesses (lowest lane first).
  using Issue = void (*)(void* context, NodeId node, const Record* const* lanes, unsigned count);

  WarpMerge(Issue issue, void* context) : issue_(issue), context_(context) {}

  void begin_launch();
  void begin_block(unsigned threads) { last_node_.assign(threads, kEntry); }

  /// True, if the lane must now stop.
  bool record(unsigned in_warp, const Record& record) {
    traces_[in_warp].records.push_back(record);
    return traces_[in_warp].records.size() >= traces_[in_warp].cut_at;
  }

  /// Issues what the lanes of the warp have recorded, `first_thread` being its first; lanes in `cut` were stopped by
  /// record(). Returns those of them that may go on; what lies behind a cut lane waits for it.
  LaneSet merge(unsigned first_thread, LaneSet cut);

  const FlowGraph& graph() const { return graph_; }

 private:
  struct Loop {
    NodeId head;
    uint32_t iteration;
    bool operator==(const Loop&) const = default;
  };
  struct Trace {
    std::vector<Record> records;  // not issued yet
    std::vector<NodeId> nodes;    // of the first of the records
    std::vector<Loop> loops;      // around the last issued one, and in which iteration
    size_t cut_at = kCutAfter;
    bool kept = false;  // the first record's place is known already: it waited for a cut lane

    void clear() {
      records.clear();
      nodes.clear();
      loops.clear();
      cut_at = kCutAfter;
      kept = false;
    }
  };
  /// (loop, iteration) pairs, then the node, as one sequence of numbers that is compared lexicographically.
  struct Place {
    static constexpr unsigned kMost = 24;
    unsigned length = 0;
    uint32_t numbers[kMost];
    bool operator==(const Place& other) const;
    bool operator<(const Place& other) const;
  };

  size_t common_prefix(LaneSet lanes, unsigned first_thread) const;
  void find_nodes(LaneSet lanes, unsigned first_thread, size_t prefix);
  void issue_prefix(LaneSet lanes, size_t prefix);
  void issue_rest(LaneSet lanes, LaneSet cut);
  void enter(Trace& trace, NodeId node, bool again);
  Place place_of(const Trace& trace, NodeId node) const;

  Issue issue_;
  void* context_;
  FlowGraph graph_;
  Trace traces_[kWarpSize];
  size_t issued_[kWarpSize] = {};  // of a lane's records, during a merge
  std::vector<NodeId> last_node_;  // of each thread of the block
};

}  // namespace simt::runtime
