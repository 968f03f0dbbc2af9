#include "kernels/cuda/cuda_device.h"

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/graph_cache.h"
#include "kernels/cuda/kernel_table.h"

namespace stagecraft::cuda {
namespace {

/// The oldest architecture that the kernels are compiled for: Ampere.
constexpr int kOldestMajor = 8;
constexpr int kDevice = 0;
constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
constexpr const char* kOtherDevices = "use --device cpu, or --device sim to run the same kernels without a GPU";

cudaStream_t as_stream(void* stream) { return static_cast<cudaStream_t>(stream); }

/// Looks for a GPU without taking it. Throws BadInput that says why there is none to use.
cudaDeviceProp find_gpu() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorInsufficientDriver) {
    throw BadInput("--device cuda: there is no NVIDIA driver, or one too old for this build", kOtherDevices);
  }
  if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0)) {
    throw BadInput("--device cuda: the driver sees no GPU", kOtherDevices);
  }
  if (status != cudaSuccess) {
    throw BadInput(fmt::format("--device cuda: the driver does not answer: {}", cudaGetErrorString(status)),
                   kOtherDevices);
  }
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, kDevice), "ask for the GPU's properties");
  if (properties.major < kOldestMajor) {
    throw BadInput(fmt::format("--device cuda: {} has compute capability {}.{}, and {}.0 is needed", properties.name,
                               properties.major, properties.minor, kOldestMajor),
                   kOtherDevices);
  }
  return properties;
}

}  // namespace

[[noreturn]] void launch_failed(const char* kernel, const char* reason) {
  throw Failure(fmt::format("cuda: kernel {} could not be started: {}", kernel, reason));
}

bool gpu_answers() {
  try {
    find_gpu();
    return true;
  } catch (const Error&) {
    (void)cudaGetLastError();
    return false;
  }
}

CudaDevice::CudaDevice() : Device(kernel_set().best) {
  const cudaDeviceProp gpu = find_gpu();
  description_ = fmt::format("cuda: {}, compute capability {}.{}, {:.0f} GiB", gpu.name, gpu.major, gpu.minor,
                             double(gpu.totalGlobalMem) / kGiB);
  check_cuda(cudaSetDevice(kDevice), "take the GPU");
  cudaStream_t stream = nullptr;
  check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "create a stream");
  stream_ = stream;
  graphs_ = std::make_unique<GraphCache>(stream);
}

CudaDevice::~CudaDevice() {
  graphs_.reset();
  (void)cudaStreamDestroy(as_stream(stream_));
}

void* CudaDevice::allocate(size_t bytes) {
  graphs_->clear();
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  if (status == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    size_t free = 0, total = 0;
    check_cuda(cudaMemGetInfo(&free, &total), "ask for free memory");
    throw Failure(fmt::format("the GPU has no memory left: {:.2f} GiB were asked for, {:.2f} of {:.2f} GiB are free",
                              double(bytes) / kGiB, double(free) / kGiB, double(total) / kGiB),
                  hint_for(status));
  }
  check_cuda(status, "allocate memory");
  return memory;
}

void CudaDevice::release(void* memory) noexcept {
  graphs_->clear();
  (void)cudaFree(memory);
}

int64_t CudaDevice::free_memory() const {
  size_t free = 0, total = 0;
  check_cuda(cudaMemGetInfo(&free, &total), "ask for free memory");
  return int64_t(free);
}

// Ordinary host memory is copied to a staging buffer before the call returns, so the caller may reuse it at once.
void CudaDevice::copy_to_device(void* to, const void* from, size_t bytes) {
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, as_stream(stream_)), "copy to the GPU");
}

void CudaDevice::copy_to_host(void* to, const void* from, size_t bytes) {
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, as_stream(stream_)), "copy from the GPU");
  synchronize();
}

void CudaDevice::synchronize() {
  check_cuda(cudaStreamSynchronize(as_stream(stream_)), "wait for the GPU");
  check_cuda(cudaGetLastError(), "run a kernel");
}

void CudaDevice::repeat(const std::string& key, const std::function<void()>& queue_operations) {
  graphs_->run(key, queue_operations);
}

}  // namespace stagecraft::cuda
