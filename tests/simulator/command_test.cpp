/// The program `simt`: runs the examples as a user would.
#include <cstdio>
#include <fstream>
#include <string>

#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/catch.h"

namespace {

struct Outcome {
  int code;
  std::string output;  // stdout and stderr together
};

Outcome run(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  Outcome outcome{0, ""};
  char buffer[4096];
  while (const size_t bytes = fread(buffer, 1, sizeof buffer, pipe)) outcome.output.append(buffer, bytes);
  outcome.code = WEXITSTATUS(pclose(pipe));
  return outcome;
}

Outcome simt(const std::string& arguments) { return run(STAGECRAFT_BINARY_DIR "/bin/simt run " + arguments); }

const std::string kExamples = STAGECRAFT_SOURCE_DIR "/kernels/simulator/examples/";

bool has(const Outcome& outcome, const std::string& text) { return outcome.output.find(text) != std::string::npos; }

std::string written(const std::string& name, const std::string& text) {
  const std::string file = STAGECRAFT_BINARY_DIR "/" + name;
  std::ofstream(file) << text;
  return file;
}

}  // namespace

TEST_CASE("simt run: the vector addition is right, and its bug is named") {
  const Outcome right = simt(kExamples + "vector_add.cu");
  INFO(right.output);
  REQUIRE(right.code == 0);
  REQUIRE(has(right, "0 of 1000 sums are wrong"));
  REQUIRE(has(right, "no findings"));

  const Outcome bug = simt(kExamples + "vector_add.cu -- bug");
  INFO(bug.output);
  REQUIRE(bug.code == 3);
  REQUIRE(has(bug, "out of bounds in vector_add_without_comparison"));
  REQUIRE(has(bug, "just past the end of the 4000-byte allocation"));
  REQUIRE(has(bug, "block (3,0,0) thread (232,0,0) reads 4 bytes"));
}

TEST_CASE("simt run: the reduction's race and divergent barrier are named") {
  const Outcome race = simt(kExamples + "reduction.cu -- race");
  INFO(race.output);
  REQUIRE(race.code == 3);
  REQUIRE(has(race, "race in shared memory"));
  const Outcome divergent = simt(kExamples + "reduction.cu -- divergent");
  INFO(divergent.output);
  REQUIRE(divergent.code == 3);
  REQUIRE(has(divergent, "divergent barrier"));
}

TEST_CASE("simt run --profile --json --gpu: the transposes differ as they should") {
  const std::string file = STAGECRAFT_BINARY_DIR "/transpose_profile.json";
  const Outcome outcome = simt("--profile --gpu RTX4090 --json " + file + " " + kExamples + "transpose.cu");
  INFO(outcome.output);
  REQUIRE(outcome.code == 0);
  REQUIRE(has(outcome, "estimate for RTX4090"));
  std::ifstream stream(file);
  const auto json = nlohmann::json::parse(stream);
  const auto moved_per_request = [&](int kernel, const std::string& operation, const char* unit) {
    for (const auto& counts : json["kernels"][kernel]["memory"])
      if (counts["operation"] == operation) return counts[unit].get<double>() / counts["requests"].get<double>();
    return 0.0;
  };
  REQUIRE(moved_per_request(0, "global store", "sectors") == 32);
  REQUIRE(moved_per_request(1, "global store", "sectors") == 4);
  REQUIRE(moved_per_request(1, "shared load", "wavefronts") == 32);
  REQUIRE(moved_per_request(2, "shared load", "wavefronts") == 1);
}

TEST_CASE("simt run: a file written for nvcc that includes cuda_runtime.h") {
  const std::string file = written("own.cu",
                                   "#include <cuda_runtime.h>\n"
                                   "__global__ void k(int* x) { x[threadIdx.x] = int(threadIdx.x); }\n"
                                   "int main() { int* x; cudaMalloc(&x, 128);\n"
                                   "  simt::launch(k, {dim3(1), dim3(32)}, x); return cudaFree(x) != cudaSuccess; }\n");
  const Outcome outcome = simt(file);
  INFO(outcome.output);
  REQUIRE(outcome.code == 0);
}

TEST_CASE("simt run: what no host compiler reads is told by line, with what to write instead") {
  const std::string file = written("angle.cu", "int main() {\n  kernel<<<1, 32>>>();\n}\n");
  const Outcome outcome = simt(file);
  REQUIRE(outcome.code == 2);
  REQUIRE(has(outcome, "angle.cu:2: a launch with <<< >>>"));
  REQUIRE(has(outcome, "simt::launch(kernel"));
  REQUIRE(simt("/nowhere.cu").code == 2);
  REQUIRE(simt("--gpu abacus " + file).code == 2);
  REQUIRE(simt("--fast --profile " + file).code == 2);
  REQUIRE(simt(written("broken.cu", "int main() { return }\n")).code == 1);
}

TEST_CASE("a program that loads the simulator starts in less than 0.1 s of CPU time") {
  const auto seconds_of_children = [] {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    const auto seconds = [](const timeval& time) { return double(time.tv_sec) + double(time.tv_usec) * 1e-6; };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
  };
  const double before = seconds_of_children();
  REQUIRE(run(STAGECRAFT_BINARY_DIR "/bin/simt --help").code == 0);
  REQUIRE(seconds_of_children() - before < 0.1);
}
