#pragma once
/// @file
/// The OS threads that share the blocks of a fast launch.
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "kernels/simulator/runtime/block_state.h"

namespace simt::runtime {

class BlockThreads {
 public:
  /// Starts `count` threads beside the caller's.
  explicit BlockThreads(unsigned count);
  BlockThreads(const BlockThreads&) = delete;
  BlockThreads& operator=(const BlockThreads&) = delete;
  ~BlockThreads();

  size_t size() const { return threads_.size(); }

  /// Runs the job's blocks on all of them and on the calling thread; returns when all are done.
  void run(Job& job);

 private:
  void serve();

  std::mutex mutex_;
  std::condition_variable begin_, end_;
  Job* job_ = nullptr;
  uint64_t jobs_begun_ = 0;
  size_t working_ = 0;
  bool quit_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace simt::runtime
