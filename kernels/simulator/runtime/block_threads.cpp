#include "kernels/simulator/runtime/block_threads.h"

#include "kernels/simulator/runtime/worker.h"

namespace simt::runtime {

BlockThreads::BlockThreads(unsigned count) {
  for (unsigned i = 0; i < count; ++i) threads_.emplace_back([this] { serve(); });
}

BlockThreads::~BlockThreads() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  begin_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void BlockThreads::run(Job& job) {
  {
    const std::lock_guard lock(mutex_);
    job_ = &job;
    working_ = threads_.size();
    ++jobs_begun_;
  }
  begin_.notify_all();
  Worker::of_this_thread().run(job, nullptr);
  std::unique_lock lock(mutex_);
  end_.wait(lock, [this] { return working_ == 0; });
}

void BlockThreads::serve() {
  uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    begin_.wait(lock, [&] { return quit_ || jobs_begun_ != seen; });
    if (quit_) return;
    seen = jobs_begun_;
    Job& job = *job_;
    lock.unlock();
    Worker::of_this_thread().run(job, nullptr);
    lock.lock();
    if (--working_ == 0) end_.notify_all();
  }
}

}  // namespace simt::runtime
