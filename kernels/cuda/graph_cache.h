#pragma once
/// @file
/// CUDA graphs: a sequence of kernel launches that was recorded once is started again by a single call. A decode step
/// of a small model is a hundred kernels of a few microseconds each; started one by one, the host is slower than the
/// GPU.
#include <functional>
#include <string>
#include <unordered_map>

#include <cuda_runtime.h>

namespace stagecraft::cuda {

class GraphCache {
 public:
  explicit GraphCache(cudaStream_t stream) : stream_(stream) {}
  ~GraphCache() { clear(); }
  GraphCache(const GraphCache&) = delete;
  GraphCache& operator=(const GraphCache&) = delete;

  /// Queues on the stream what `queue_operations` queues. The first time that a key is seen it is called; the second
  /// time its launches are recorded; from then on the recording is replayed. So what happens once costs no recording,
  /// and a kernel is loaded before it is recorded.
  void run(const std::string& key, const std::function<void()>& queue_operations);

  /// Forgets all recordings.
  void clear() noexcept;

 private:
  cudaGraphExec_t record(const std::function<void()>& queue_operations);

  cudaStream_t stream_;
  std::unordered_map<std::string, cudaGraphExec_t> graphs_;  // null: seen once, not recorded
};

}  // namespace stagecraft::cuda
