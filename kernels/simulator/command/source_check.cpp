#include "kernels/simulator/command/source_check.h"

#include <fstream>
#include <regex>

#include "kernels/check.h"

namespace simt::command {
namespace {

struct Spelling {
  std::regex pattern;
  const char* what;
  const char* instead;
};

const std::vector<Spelling>& spellings() {
  static const std::vector<Spelling> all = {
      {std::regex("<<<"), "a launch with <<< >>>", "simt::launch(kernel, {grid, block, shared_bytes}, arguments...)"},
      {std::regex("extern\\s+__shared__"), "a bare extern __shared__ array", "SIMT_DYN_SHARED(float, name);"},
      {std::regex("#\\s*include\\s*<cooperative_groups"), "cooperative groups",
       "__syncthreads, __syncwarp and __shfl_*_sync"},
      {std::regex("\\basm\\s*(volatile)?\\s*\\("), "inline PTX",
       "a branch for the host around it: #if defined(__CUDA_ARCH__) ... #else ... #endif"},
  };
  return all;
}

}  // namespace

void check_source(const std::string& file) {
  std::ifstream source(file);
  if (!source) throw stagecraft::BadInput(fmt::format("cannot read {}", file), "give the path of a .cu file");
  std::string line;
  bool host_only = false;  // between #if defined(__CUDA_ARCH__) and its #else or #endif anything may stand
  for (int number = 1; std::getline(source, line); ++number) {
    if (line.find("__CUDA_ARCH__") != std::string::npos || line.find("__CUDACC__") != std::string::npos)
      host_only = true;
    if (line.compare(0, 5, "#else") == 0 || line.compare(0, 6, "#endif") == 0) host_only = false;
    const std::string code = line.substr(0, line.find("//"));
    for (const Spelling& spelling : spellings())
      if (!host_only && std::regex_search(code, spelling.pattern))
        throw stagecraft::BadInput(
            fmt::format("{}:{}: {} is not understood by the simulator", file, number, spelling.what),
            fmt::format("write {} instead; nvcc takes it too", spelling.instead));
  }
}

}  // namespace simt::command
