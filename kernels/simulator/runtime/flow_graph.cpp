#include "kernels/simulator/runtime/flow_graph.h"

#include <limits>

namespace simt::runtime {

/// F. Bourdoncle, "Efficient chaotic iteration strategies with widenings" (1993): a weak topological order is found in
/// one depth-first walk like Tarjan's for strongly connected components, repeated inside each component without its
/// head. Every component is a loop; its head is the node that the walk met first.
class LoopFinder {
 public:
  explicit LoopFinder(std::vector<FlowGraph::Node>& nodes) : nodes_(nodes), number_(nodes.size(), kUnvisited) {
    std::vector<Element> order;
    visit(kEntry, order);
    std::vector<NodeId> loops;
    uint32_t position = 0;
    assign(order, loops, position);
  }

 private:
  static constexpr uint32_t kUnvisited = 0;
  static constexpr uint32_t kFinished = std::numeric_limits<uint32_t>::max();

  /// A node, or a loop: its head and what lies inside. Lists are built from the last to the first.
  struct Element {
    NodeId node;
    bool is_loop;
    std::vector<Element> inside;
  };

  uint32_t visit(NodeId node, std::vector<Element>& order) {
    stack_.push_back(node);
    const uint32_t own = number_[node] = ++visited_;
    uint32_t head = own;
    bool is_loop = false;
    for (const NodeId next : nodes_[node].next) {
      const uint32_t reaches = number_[next] == kUnvisited ? visit(next, order) : number_[next];
      if (reaches > head) continue;
      head = reaches;
      is_loop = true;
    }
    if (head != own) return head;
    number_[node] = kFinished;
    Element element{node, is_loop, {}};
    NodeId top = stack_.back();
    stack_.pop_back();
    while (top != node) {  // the loop's other nodes are walked again, without the way back to the head
      number_[top] = kUnvisited;
      top = stack_.back();
      stack_.pop_back();
    }
    if (is_loop) {
      for (const NodeId next : nodes_[node].next)
        if (number_[next] == kUnvisited) visit(next, element.inside);
    }
    order.push_back(std::move(element));
    return head;
  }

  void assign(const std::vector<Element>& order, std::vector<NodeId>& loops, uint32_t& position) {
    for (size_t i = order.size(); i-- > 0;) {
      const Element& element = order[i];
      if (element.is_loop) loops.push_back(element.node);
      nodes_[element.node].position = ++position;
      nodes_[element.node].loops = loops;
      if (!element.is_loop) continue;
      assign(element.inside, loops, position);
      loops.pop_back();
    }
  }

  std::vector<FlowGraph::Node>& nodes_;
  std::vector<uint32_t> number_;  // in the order of the walk
  std::vector<NodeId> stack_;
  uint32_t visited_ = 0;
};

void FlowGraph::clear() {
  nodes_.assign(1, Node{});
  by_code_.clear();
  changed_ = false;
}

NodeId FlowGraph::step(NodeId from, uint64_t code) {
  for (const NodeId next : nodes_[from].next)
    if (nodes_[next].code == code) return next;
  const auto [known, is_new] = by_code_.try_emplace(code, static_cast<NodeId>(nodes_.size()));
  if (is_new) {
    nodes_.emplace_back();
    nodes_.back().code = code;
  }
  nodes_[from].next.push_back(known->second);
  changed_ = true;
  return known->second;
}

void FlowGraph::find_loops() {
  if (!changed_) return;
  LoopFinder find(nodes_);
  changed_ = false;
}

}  // namespace simt::runtime
