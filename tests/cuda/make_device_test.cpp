/// @file
/// From a name on the command line to a device that runs the CUDA kernels, or a reason why not.
#include "kernels/check.h"
#include "kernels/device.h"
#include "kernels/sim_device.h"
#include "tests/catch.h"
#if STAGECRAFT_WITH_CUDA
#include "kernels/cuda/cuda_device.h"
#endif

using namespace stagecraft;

TEST_CASE("sim is a device by that name, and says with how many threads") {
  CHECK(make_device("sim", 1)->name() == "sim");
  CHECK(make_device("sim", 1)->description() == "sim: CUDA kernels in the simulator, 1 thread");
  CHECK(make_device("sim", 2)->description() == "sim: CUDA kernels in the simulator, 2 threads");
  CHECK_FALSE(make_device("sim", 1)->reads_host_memory());
}

TEST_CASE("an unknown device is refused and the hint names those of this build") {
  try {
    make_device("tpu", 1);
    FAIL("accepted");
  } catch (const BadInput& error) {
    CHECK(std::string(error.what()).find("tpu") != std::string::npos);
    CHECK(error.hint().find("sim") != std::string::npos);
  }
}

TEST_CASE("device memory that is not there is a Failure with a hint") {
  const auto device = make_device("sim", 1);
  try {
    device->release(device->allocate(size_t(1) << 50));
    FAIL("allocated a petabyte");
  } catch (const Failure& failure) {
    CHECK(!failure.hint().empty());
  }
  device->synchronize();  // what was refused is no fault of a kernel
}

#if STAGECRAFT_WITH_CUDA
TEST_CASE("cuda is the GPU if one answers, else a BadInput with a hint; auto then takes the cpu") {
  if (cuda::gpu_answers()) {
    CHECK(make_device("cuda", 1)->name() == "cuda");
    CHECK(make_device("auto", 1)->name() == "cuda");
    return;
  }
  try {
    make_device("cuda", 1);
    FAIL("made a device without a GPU");
  } catch (const BadInput& error) {
    CHECK(error.hint().find("--device cpu") != std::string::npos);
  }
  CHECK(make_device("auto", 1)->name() == "cpu");
}
#else
TEST_CASE("without CUDA in the build, cuda is refused and auto takes the cpu") {
  CHECK_THROWS_AS(make_device("cuda", 1), BadInput);
  CHECK(make_device("auto", 1)->name() == "cpu");
}
#endif
