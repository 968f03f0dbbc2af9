#pragma once
/// @file
/// A worker is one OS thread that runs blocks, one after the other: the warps of a block one after the other up to the
/// next barrier, the lanes of a warp one after the other up to the next collective.
#include <memory>
#include <random>

#include "kernels/simulator/runtime/block_state.h"
#include "kernels/simulator/runtime/finding_log.h"
#include "kernels/simulator/runtime/interrupts.h"

namespace simt::runtime {

/// What a checked launch adds to the scheduler; a fast one has none.
class Tracer;

class Worker {
 public:
  Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  /// The worker of the calling OS thread, made at first use. Fibers never leave their OS thread: compilers keep the
  /// address of a thread-local variable across a call, and so across a switch.
  static Worker& of_this_thread();
  /// The same while a launch runs on this thread, else null.
  static Worker* running() { return running_; }

  /// Runs blocks of the job until none is left. `tracer` may be null.
  void run(Job& job, Tracer* tracer);

  // Called on a fiber, by what kernels call.

  /// The lane is to wait (its state says for what): goes on with the next lane, or with the scheduler.
  void park();
  /// Ends the launch; the fiber is never continued.
  [[noreturn]] void abandon(cudaError_t why);

  /// Different for each worker of the process, also for one of an OS thread that has ended.
  uint64_t id() const { return id_; }
  Job& job() const { return *job_; }
  Tracer* tracer() const { return tracer_; }
  /// The running lane and its warp. Null, while the scheduler runs.
  Lane* lane() const { return lane_; }
  Warp& warp() const { return *warp_; }
  Lane& lane_of(const Warp& warp, unsigned in_warp) { return lanes_[warp.first_thread + in_warp]; }
  uint3 block_index() const { return block_index_; }
  uint64_t block_number() const { return block_number_; }
  /// Counts the blocks this worker has begun: tells one block from another of an earlier launch.
  uint64_t blocks_begun() const { return blocks_begun_; }
  char* dynamic_shared() const { return dynamic_shared_; }
  const FiberPool& fibers() const { return fibers_; }

  /// False while kernel code runs, true while the runtime works on its behalf: the runtime's own memory accesses are
  /// none of the kernel's, and it must not be interrupted.
  bool busy = true;

  /// Ends the launch, if the block has run longer than it may. Called with the kernel's place.
  void require_time(const CodePlace& place) {
    if (overdue) give_up(place);
  }

  // For interrupts.cpp.
  Interrupts& interrupts() { return interrupts_; }
  /// Whether the address is the program's own, not one of the C library.
  bool image_holds(uintptr_t code) const { return code - image_begin_ < image_end_ - image_begin_; }
  [[noreturn]] static void interrupted();
  volatile bool overdue = false;
  Interruption interruption;

 private:
  static void fiber_main();
  void run_lanes_on_this_fiber();
  void run_block(uint64_t number);
  void start_block();
  void run_warp(Warp& warp);
  bool release_barrier();
  Lane& next_lane(Warp& warp);
  [[noreturn]] void give_up(const CodePlace& place);

  static constinit thread_local Worker* running_;

  uint64_t id_;
  void* scheduler_ = nullptr;  // saved stack pointer of run_warp
  Lane* lane_ = nullptr;
  Warp* warp_ = nullptr;
  Job* job_ = nullptr;
  Tracer* tracer_ = nullptr;
  uint3 block_index_{};
  uint64_t block_number_ = 0;
  uint64_t blocks_begun_ = 0;
  bool fibers_are_stale_ = false;
  char* dynamic_shared_ = nullptr;
  std::vector<Lane> lanes_;
  std::vector<Warp> warps_;
  std::vector<unsigned> warp_order_;
  std::mt19937_64 random_;
  FiberPool fibers_;
  Interrupts interrupts_;
  uintptr_t image_begin_, image_end_;
};

}  // namespace simt::runtime
