#pragma once
/// @file
/// Threads that wait for loops to share. A forward pass of a small model hands out several hundred loops of some ten
/// microseconds each, so starting one must cost about one microsecond:
///
/// - Idle threads watch an atomic for a short while before they sleep, so back-to-back loops need no system call.
/// - The caller works too, and a loop ends when its last item is done. A thread that the operating system has taken off
///   its core holds up nothing unless it is in the middle of an item; it may find the loop long over and does no harm.
/// - Items are claimed one by one, in order: a thread that is slowed down simply claims fewer.
///
/// Which thread runs an item never affects a result: no operation adds across items.
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "kernels/cpu/scratch.h"

namespace stagecraft::cpu {

/// The cores that this process may run on.
int available_cores();

class ThreadPool {
 public:
  /// `threads` includes the one that calls run; 0 means available_cores().
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return int(workers_.size()) + 1; }

  /// Calls work(item, thread) once for each item in [0, items), thread in [0, threads()). Returns when all are done.
  /// `work` must not throw and must not call run. One caller at a time.
  template <class Work>
  void run(int64_t items, const Work& work) {
    const auto call = [](const void* context, int64_t item, int thread) {
      (*static_cast<const Work*>(context))(item, thread);
    };
    if (items <= 1 || workers_.empty()) {
      for (int64_t item = 0; item < items; ++item) work(item, 0);
    } else {
      share(items, call, &work);
    }
  }

  /// Memory of the operation that runs, kept for the next one. `scratch` is one thread's, `shared` is everybody's.
  Scratch& scratch(int thread) { return scratch_[size_t(thread)]; }
  Scratch& shared() { return scratch_.back(); }

 private:
  using Call = void (*)(const void* context, int64_t item, int thread);

  void share(int64_t items, Call call, const void* context);
  void work_until_empty(int thread);
  void worker(int thread);
  void sleep_until_work(uint64_t seen_loop);

  // A loop's number in the upper half, the next item to be claimed in the lower: one compare-and-swap claims an item
  // and proves that the loop it belongs to is still running, and with it the three fields below.
  std::atomic<uint64_t> ticket_{0};
  std::atomic<Call> call_{nullptr};
  std::atomic<const void*> context_{nullptr};
  std::atomic<int64_t> items_{0};
  std::atomic<int64_t> done_{0};

  std::atomic<bool> stop_{false};
  std::atomic<int> sleepers_{0};
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Scratch> scratch_;  // one a thread, then the shared one
  std::vector<std::thread> workers_;
};

}  // namespace stagecraft::cpu
