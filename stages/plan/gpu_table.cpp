/// @file
/// One row a card. Pages were read in stored copies, in November 2026.
#include "stages/plan/gpu_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/check.h"

namespace stagecraft {
namespace {

constexpr const char* kSpecTables =
    "github.com/stas00/ml-engineering, compute/accelerator/README.md, tables of dense TFLOPS and of memory";
constexpr const char* kA100Page = "glennklockwood.com/garden/processors/A100, from NVIDIA's A100 data sheet";
constexpr const char* kH100Page =
    "archive-lib.hpctech.co.jp/gpuproduct/nvidia-h100.html (its bf16 figures with sparsity, halved)";
constexpr const char* kDatasheetList = "github.com/astroC86/gpu-datasheet, README.md, from NVIDIA's data sheets";

}  // namespace

const std::vector<Gpu>& all_gpus() {
  static const std::vector<Gpu> gpus = {
      {"t4", 16, 320, 65, "hmc-tech.com/gpu/nvidia-a16-vs-nvidia-t4; sysrqmts.com, A100 vs T4 (bandwidth)",
       "the card has no bf16: this is its fp16 rate"},
      {"a10", 24, 600, 125, kDatasheetList, "the page says fp16; bf16 is taken to be as fast"},
      {"a40", 48, 696, 149.7, kDatasheetList},
      {"a100-40gb", 40, 1555, 312, "upb-pc2.atlassian.net, NVIDIA A100 40GB with NVLINK"},
      {"a100-80gb", 80, 2039, 312, kA100Page},
      {"l4", 24, 300, 121, "grokipedia.com/page/NVIDIA_L4_vs_L40S (its fp16 figure with sparsity, halved)",
       "the page says fp16; bf16 is taken to be as fast"},
      {"l40", 48, 864, 181, "mullet.se, NVIDIA L40/L40S"},
      {"l40s", 48, 864, 362, "mullet.se, NVIDIA L40/L40S"},
      {"rtx-3090", 24, 936, 71, "cuttingedgegamer.com/2022/12 (memory and bandwidth)",
       "no page was found for the tensor rate"},
      {"rtx-4090", 24, 1008, 165, "waredb.com/processor/nvidia-geforce-rtx-4090"},
      {"h100-pcie", 80, 2000, 756, kH100Page},
      {"h100-sxm", 80, 3350, 989, kH100Page},
      {"h200-sxm", 141, 4800, 989, kSpecTables},
      {"b200-sxm", 180, 8000, 2250,
       "github.com/stas00/ml-engineering, insights/when-to-upgrade-gpus; MLPerf Inference v6.0, Nebius, "
       "nebius_b200_n1.json"},
      {"mi300x", 192, 5300, 1300, kSpecTables},
  };
  return gpus;
}

const Gpu& gpu_named(std::string_view name) {
  const std::vector<Gpu>& gpus = all_gpus();
  const auto found = std::find_if(gpus.begin(), gpus.end(), [&](const Gpu& gpu) { return gpu.name == name; });
  if (found != gpus.end()) return *found;
  std::string names;
  for (const Gpu& gpu : gpus) names += (names.empty() ? "" : ", ") + gpu.name;
  throw BadInput(fmt::format("--gpu: '{}' is not in the table", name),
                 fmt::format("use one of {}, or give --gpu-memory, --gpu-bandwidth and --gpu-tflops instead", names));
}

}  // namespace stagecraft
