/// @file
/// The pool runs each item once, whatever the number of threads and however long they have slept.
#include "kernels/cpu/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <ctime>

#include "tests/catch.h"

using namespace stagecraft::cpu;

TEST_CASE("every item runs once, on a thread of the pool") {
  for (const int threads : {1, 2, 3, 7}) {
    ThreadPool pool(threads);
    REQUIRE(pool.threads() == threads);
    for (const int64_t items : {0, 1, 2, 3, 100, 10000}) {
      std::vector<std::atomic<int>> runs(static_cast<size_t>(items));
      std::atomic<int> strangers{0};
      pool.run(items, [&](int64_t item, int thread) {
        ++runs[size_t(item)];
        if (thread < 0 || thread >= threads) ++strangers;
      });
      CHECK(strangers == 0);
      CHECK(std::all_of(runs.begin(), runs.end(), [](const auto& count) { return count == 1; }));
    }
  }
}

TEST_CASE("loops follow each other at once, and after a sleep") {
  ThreadPool pool(3);
  std::vector<int64_t> results(50);  // no atomics: the end of a loop makes its writes visible
  for (int loop = 0; loop < 3000; ++loop) {
    pool.run(int64_t(results.size()), [&](int64_t item, int) { results[size_t(item)] = loop + item; });
    int64_t sum = 0;
    for (const int64_t result : results) sum += result;
    REQUIRE(sum == 50 * loop + 49 * 50 / 2);
    if (loop % 1000 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

TEST_CASE("threads of an idle pool sleep") {
  ThreadPool pool(4);
  pool.run(100, [](int64_t, int) {});
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const std::clock_t before = std::clock();  // processor time of all threads
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  CHECK(double(std::clock() - before) / CLOCKS_PER_SEC < 0.02);
}

TEST_CASE("a pool that never ran anything ends") {
  for (int i = 0; i < 20; ++i) ThreadPool pool(4);
}

TEST_CASE("zero threads means all available cores") {
  CHECK(available_cores() >= 1);
  CHECK(ThreadPool(0).threads() == available_cores());
}

TEST_CASE("scratch memory is aligned, and kept") {
  ThreadPool pool(2);
  float* first = pool.scratch(1).floats(100);
  CHECK(reinterpret_cast<uintptr_t>(first) % kAlignment == 0);
  CHECK(pool.scratch(1).floats(50) == first);
  CHECK(pool.scratch(0).floats(100) != first);
  CHECK(pool.shared().floats(100) != first);
}
