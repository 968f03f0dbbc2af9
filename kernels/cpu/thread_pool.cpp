#include "kernels/cpu/thread_pool.h"

#include <algorithm>
#include <chrono>

#include <sched.h>

namespace stagecraft::cpu {
namespace {

constexpr uint64_t kItemMask = 0xFFFFFFFFu;
constexpr int kItemBits = 32;

/// How long an idle thread watches before it sleeps: longer than the serial stretches inside a forward pass, short
/// enough not to be seen in a process list.
constexpr auto kWatchTime = std::chrono::microseconds(100);

/// How long a waiting thread keeps its core to itself. After that it offers the core again and again: if there are fewer
/// cores than threads, the one that is waited for may need it.
constexpr auto kSelfishTime = std::chrono::microseconds(5);

/// Looks at the clock only once in so many pauses.
constexpr int kPausesPerLook = 32;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Waits until arrived() is true, at most for `longest`. True if it is.
template <class Arrived>
bool watch(std::chrono::nanoseconds longest, const Arrived& arrived) {
  const auto start = std::chrono::steady_clock::now();
  while (true) {
    for (int i = 0; i < kPausesPerLook; ++i) {
      if (arrived()) return true;
      pause();
    }
    const auto waited = std::chrono::steady_clock::now() - start;
    if (waited > longest) return false;
    if (waited > kSelfishTime) std::this_thread::yield();
  }
}

uint64_t loop_of(uint64_t ticket) { return ticket >> kItemBits; }

/// A loop whose fields are being written: nothing can be claimed yet.
bool is_closed(uint64_t ticket) { return (ticket & kItemMask) == kItemMask; }

}  // namespace

int available_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return CPU_COUNT(&cores);
  return int(std::max(1u, std::thread::hardware_concurrency()));
}

ThreadPool::ThreadPool(int threads) : scratch_(size_t(threads > 0 ? threads : available_cores()) + 1) {
  for (int thread = 1; thread + 1 < int(scratch_.size()); ++thread) {
    workers_.emplace_back([this, thread] { worker(thread); });
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::share(int64_t items, Call call, const void* context) {
  // Close the last loop before its fields change: a late thread's claim then fails, whatever it has read of them.
  const uint64_t loop = loop_of(ticket_.load(std::memory_order_relaxed)) + 1;
  ticket_.store(loop << kItemBits | kItemMask);
  call_.store(call, std::memory_order_release);
  context_.store(context, std::memory_order_release);
  items_.store(items, std::memory_order_release);
  done_.store(0, std::memory_order_release);
  ticket_.store(loop << kItemBits);
  if (sleepers_.load() > 0) {
    { const std::lock_guard lock(mutex_); }  // a thread about to sleep has either seen the loop or is waiting by now
    wake_.notify_all();
  }

  work_until_empty(0);
  watch(std::chrono::nanoseconds::max(), [&] { return done_.load(std::memory_order_acquire) == items; });
}

void ThreadPool::work_until_empty(int thread) {
  uint64_t ticket = ticket_.load(std::memory_order_acquire);
  while (true) {
    const int64_t items = items_.load(std::memory_order_acquire);
    const Call call = call_.load(std::memory_order_acquire);
    const void* context = context_.load(std::memory_order_acquire);
    const int64_t item = int64_t(ticket & kItemMask);
    if (item >= items) return;
    if (!ticket_.compare_exchange_weak(ticket, ticket + 1)) continue;  // `ticket` is now what stands there
    call(context, item, thread);
    done_.fetch_add(1, std::memory_order_acq_rel);
    ticket = ticket_.load(std::memory_order_acquire);
  }
}

void ThreadPool::worker(int thread) {
  while (!stop_) {
    const uint64_t ticket = ticket_.load(std::memory_order_acquire);
    const uint64_t seen_loop = loop_of(ticket) - (is_closed(ticket) ? 1 : 0);
    work_until_empty(thread);
    const bool more =
        watch(kWatchTime, [&] { return loop_of(ticket_.load(std::memory_order_acquire)) != seen_loop || stop_; });
    if (!more) sleep_until_work(seen_loop);
  }
}

void ThreadPool::sleep_until_work(uint64_t seen_loop) {
  std::unique_lock lock(mutex_);
  ++sleepers_;  // before looking again: share() writes the ticket first and counts sleepers after
  wake_.wait(lock, [&] { return loop_of(ticket_.load()) != seen_loop || stop_; });
  --sleepers_;
}

}  // namespace stagecraft::cpu
