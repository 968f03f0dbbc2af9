#include "kernels/cuda/gpu_timer.h"

#include <algorithm>
#include <vector>

#include "kernels/cuda/cuda_check.h"

namespace stagecraft::cuda {
namespace {

constexpr double kSecondsToWarmUp = 0.05;
constexpr double kSecondsOfTiming = 0.02;
constexpr int kTimings = 7;
constexpr int kMostRuns = 10000;

class Event {
 public:
  Event() { check_cuda(cudaEventCreate(&event_), "create an event"); }
  ~Event() { (void)cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(cudaStream_t stream) { check_cuda(cudaEventRecord(event_, stream), "record an event"); }
  double seconds_since(const Event& start) const {
    float milliseconds = 0;
    check_cuda(cudaEventSynchronize(event_), "wait for an event");
    check_cuda(cudaEventElapsedTime(&milliseconds, start.event_, event_), "read an event");
    return double(milliseconds) / 1000;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

double seconds_of(cudaStream_t stream, int runs, const std::function<void()>& queue_operations) {
  Event start, end;
  start.record(stream);
  for (int i = 0; i < runs; ++i) queue_operations();
  end.record(stream);
  return end.seconds_since(start);
}

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

}  // namespace

double seconds_per_run(CudaDevice& device, const std::function<void()>& queue_operations) {
  const auto stream = static_cast<cudaStream_t>(device.stream().handle);
  queue_operations();
  device.synchronize();
  const double once = std::max(1e-7, seconds_of(stream, 1, queue_operations));
  const auto runs_in = [&](double seconds) { return std::clamp(int(seconds / once), 1, kMostRuns); };
  seconds_of(stream, runs_in(kSecondsToWarmUp), queue_operations);

  std::vector<double> timings;
  const int runs = runs_in(kSecondsOfTiming);
  for (int i = 0; i < kTimings; ++i) timings.push_back(seconds_of(stream, runs, queue_operations) / runs);
  std::nth_element(timings.begin(), timings.begin() + kTimings / 2, timings.end());
  return timings[kTimings / 2];
}

double copy_bandwidth(CudaDevice& device) {
  constexpr size_t kBytes = size_t(1) << 29;  // ten times the largest cache
  const DeviceArray<std::byte> from(device, kBytes), to(device, kBytes);
  const auto stream = static_cast<cudaStream_t>(device.stream().handle);
  const double seconds = seconds_per_run(device, [&] {
    check_cuda(cudaMemcpyAsync(to.data(), from.data(), kBytes, cudaMemcpyDeviceToDevice, stream), "copy on the GPU");
  });
  return 2.0 * double(kBytes) / seconds;
}

std::string driver_and_runtime() {
  int driver = 0, runtime = 0;
  check_cuda(cudaDriverGetVersion(&driver), "ask for the driver's version");
  check_cuda(cudaRuntimeGetVersion(&runtime), "ask for the runtime's version");
  return fmt::format("driver for CUDA {}, runtime {}", version_text(driver), version_text(runtime));
}

}  // namespace stagecraft::cuda
