/// @file
/// Linked into each program that `simt run` makes: takes the settings from the environment before main, and reports
/// after it.
///
/// | variable      | meaning                                                   |
/// |---------------|-----------------------------------------------------------|
/// | SIMT_PROFILE  | 1: print the table of requests                            |
/// | SIMT_FAST     | 1: the program was compiled without checks                |
/// | SIMT_JSON     | a file to write findings and profile to                   |
/// | SIMT_GPU      | the GPU to estimate times for                             |
/// | SIMT_SEED     | Config::seed                                              |
/// | SIMT_SECONDS  | Config::seconds_per_block                                 |
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "kernels/simulator/command/exit_codes.h"
#include "kernels/simulator/config.h"
#include "kernels/simulator/report.h"

namespace {

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

class Report {
 public:
  Report() {
    simt::Config& config = simt::config();
    if (const std::string seed = setting("SIMT_SEED"); !seed.empty()) config.seed = std::stoull(seed);
    if (const std::string seconds = setting("SIMT_SECONDS"); !seconds.empty())
      config.seconds_per_block = std::stod(seconds);
  }

  // After main and after the destructors of the program's own static objects.
  ~Report() {
    const std::vector<simt::Finding> findings = simt::findings();
    const std::vector<simt::KernelProfile> kernels = simt::profile();
    const simt::Gpu* gpu = simt::find_gpu(setting("SIMT_GPU"));
    std::fflush(stdout);
    const bool unchecked = setting("SIMT_FAST") == "1" && findings.empty();
    std::string text = "\n" + (unchecked ? "a fast run: little is checked\n" : findings_text(findings));
    if (setting("SIMT_PROFILE") == "1") text += "\n" + profile_table(kernels);
    if (gpu)
      for (const simt::KernelProfile& kernel : kernels) text += "\n" + kernel.name + ": " + estimate_text(kernel, *gpu);
    std::fputs(text.c_str(), stderr);
    if (const std::string file = setting("SIMT_JSON"); !file.empty())
      std::ofstream(file) << report_json(findings, kernels, gpu);
    if (!findings.empty()) std::_Exit(simt::command::kFindings);
  }
};

const Report report;

}  // namespace
