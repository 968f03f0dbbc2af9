#include "kernels/cuda/graph_cache.h"

#include "kernels/cuda/cuda_check.h"

namespace stagecraft::cuda {
namespace {

/// More keys than this, and all are forgotten: prompts of ever new lengths must not fill the memory.
constexpr size_t kMostGraphs = 256;

/// A stream that records its launches instead of running them. Stops recording when it is left by an exception, too.
class Recording {
 public:
  explicit Recording(cudaStream_t stream) : stream_(stream) {
    check_cuda(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "begin recording a graph");
  }
  ~Recording() {
    if (!finished_) (void)cudaStreamEndCapture(stream_, &graph_);
    if (graph_) (void)cudaGraphDestroy(graph_);
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  cudaGraphExec_t finish() {
    finished_ = true;
    check_cuda(cudaStreamEndCapture(stream_, &graph_), "end recording a graph");
    cudaGraphExec_t executable = nullptr;
    check_cuda(cudaGraphInstantiate(&executable, graph_, 0), "make a graph executable");
    return executable;
  }

 private:
  cudaStream_t stream_;
  cudaGraph_t graph_ = nullptr;
  bool finished_ = false;
};

}  // namespace

void GraphCache::run(const std::string& key, const std::function<void()>& queue_operations) {
  const auto known = graphs_.find(key);
  if (known == graphs_.end()) {
    if (graphs_.size() == kMostGraphs) clear();
    graphs_.emplace(key, nullptr);
    queue_operations();
    return;
  }
  if (!known->second) known->second = record(queue_operations);
  check_cuda(cudaGraphLaunch(known->second, stream_), "start a graph");
}

cudaGraphExec_t GraphCache::record(const std::function<void()>& queue_operations) {
  Recording recording(stream_);
  queue_operations();
  return recording.finish();
}

void GraphCache::clear() noexcept {
  for (const auto& [key, graph] : graphs_) {
    if (graph) (void)cudaGraphExecDestroy(graph);
  }
  graphs_.clear();
}

}  // namespace stagecraft::cuda
