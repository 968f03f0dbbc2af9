/// The profile: by line, summed over launches; as table, JSON and estimate.
#include <nlohmann/json.hpp>

#include "kernels/simulator/report.h"
#include "tests/simulator/device_array.h"
#include "tests/simulator/expect.h"
#include "tests/simulator/kernels/kernels.h"

using namespace simulator_tests;
using Operation = simt::MemoryOperation;

namespace {

constexpr int n = 64;

void run_transpose(Transpose how) {
  DeviceArray<float> x(std::vector<float>(n * n, 1.0f)), out(n * n);
  REQUIRE(transpose(how, x, out, n) == cudaSuccess);
}

}  // namespace

TEST_CASE("a kernel's launches are summed, and its lines are those of the source") {
  FreshSimulator fresh;
  run_transpose(Transpose::naive);
  run_transpose(Transpose::padded_tile);
  run_transpose(Transpose::naive);
  const std::vector<simt::KernelProfile> kernels = simt::profile();
  REQUIRE(kernels.size() == 2);
  REQUIRE(kernels[0].name == "simulator_tests::transpose_naive_kernel");
  REQUIRE(kernels[1].name == "simulator_tests::transpose_tile_kernel<1>");
  REQUIRE(kernels[0].launches == 2);
  REQUIRE(kernels[0].threads == 2 * 4 * 256);
  REQUIRE(kernels[0][Operation::global_store].requests == 2 * n * n / 32);

  REQUIRE(kernels[0].lines.size() == 2);  // one line that loads and stores
  for (const simt::LineProfile& line : kernels[0].lines) {
    REQUIRE(source_line({{}, {}, line.file, line.line, ""}).find("out[column * n + row + j] = ") != std::string::npos);
    REQUIRE(line.counts.requests == kernels[0][line.operation].requests);
  }
  REQUIRE(kernels[1].lines.size() == 4);
}

TEST_CASE("the table names kernels and lines, and says what its columns are") {
  FreshSimulator fresh;
  REQUIRE(simt::profile_table(simt::profile()).empty());
  run_transpose(Transpose::naive);
  const std::string table = simt::profile_table(simt::profile());
  INFO(table);
  REQUIRE(table.find("transpose_naive_kernel: 1 launches, 4 blocks, 1024 threads") != std::string::npos);
  REQUIRE(table.find("counts.cu:") != std::string::npos);
  REQUIRE(table.find("32.00     4.00     12%") != std::string::npos);
  REQUIRE(table.find("sectors of 32 bytes") != std::string::npos);
}

TEST_CASE("the JSON report holds findings, kernels, lines and estimates") {
  FreshSimulator fresh;
  run_transpose(Transpose::shared_tile);
  DeviceArray<float> x(10);
  REQUIRE(write_shifted(x, 11, 0) == cudaErrorIllegalAddress);
  const auto json = nlohmann::json::parse(simt::report_json(simt::findings(), simt::profile(), simt::find_gpu("A100")));
  REQUIRE(json["findings"].size() == 1);
  REQUIRE(json["findings"][0]["kind"] == "out of bounds");
  REQUIRE(json["findings"][0]["actor"]["thread"] == nlohmann::json({10, 0, 0}));
  REQUIRE(json["kernels"][0]["barriers"] == 4);
  bool found = false;
  for (const auto& line : json["kernels"][0]["lines"]) {
    if (line["operation"] != "shared load") continue;
    found = true;
    REQUIRE(line["wavefronts"] == 32 * line["ideal_wavefronts"].get<int>());
  }
  REQUIRE(found);
  REQUIRE(json["kernels"][0]["estimate"]["gpu"] == "A100");
  REQUIRE(json["kernels"][0]["estimate"]["is"] == "an estimate");
}

TEST_CASE("an estimate is bytes over bandwidth, and says that it is one") {
  const simt::Gpu gpu{"test", "made up", 1e9, 10, 1e9};
  simt::KernelProfile kernel;
  kernel.launches = 1;
  kernel.blocks = 10;
  kernel.memory[int(Operation::global_load)] = {1000, 32000, 128000, 8000, 4000};
  kernel.sectors_touched_by_loads = 4000;
  const simt::TimeEstimate time = simt::estimate(kernel, gpu);
  REQUIRE(time.dram_at_best == Approx(4000 * 32 / 1e9));
  REQUIRE(time.dram_at_worst == Approx(8000 * 32 / 1e9));
  REQUIRE(time.requests == Approx(8000 / 4.0 / 10e9));
  REQUIRE(time.at_best() == Approx(simt::kLaunchSeconds + 4000 * 32 / 1e9));
  REQUIRE(simt::estimate_text(kernel, gpu).find("Not a measurement") != std::string::npos);

  kernel.blocks = 1;  // one block keeps one multiprocessor busy
  REQUIRE(simt::estimate(kernel, gpu).requests == Approx(8000 / 4.0 / 1e9));
}

TEST_CASE("GPUs are found by name, in any case of letters") {
  REQUIRE(simt::find_gpu("h100") != nullptr);
  REQUIRE(simt::find_gpu("abacus") == nullptr);
  for (const simt::Gpu& gpu : simt::known_gpus()) REQUIRE(std::string(gpu.source).size() > 5);
}
