#pragma once
/// @file
/// The control flow of a kernel as far as its memory accesses show it: a node for each instruction that accesses
/// memory, an edge where some lane went from one to the next. From it follows the nest of loops, and from that in which
/// order a GPU would have issued the lanes' accesses (warp_merge.h).
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace simt::runtime {

using NodeId = uint32_t;
inline constexpr NodeId kEntry = 0;

class FlowGraph {
 public:
  struct Node {
    uint64_t code = 0;
    std::vector<NodeId> next;
    // Set by find_loops():
    std::vector<NodeId> loops;  // heads of the loops around it, outermost first; its own last, if it is a head itself
    uint32_t position = 0;      // in an order where a node comes before those after it, save for the ways back in loops
  };

  FlowGraph() { clear(); }
  void clear();

  /// Goes from a node to the instruction at `code`; adds node and edge if they are new.
  NodeId step(NodeId from, uint64_t code);
  /// Brings loops and positions up to date. Cheap, if no edge was added.
  void find_loops();

  const Node& operator[](NodeId id) const { return nodes_[id]; }
  size_t size() const { return nodes_.size(); }

 private:
  friend class LoopFinder;

  std::vector<Node> nodes_;
  std::unordered_map<uint64_t, NodeId> by_code_;
  bool changed_ = false;
};

}  // namespace simt::runtime
