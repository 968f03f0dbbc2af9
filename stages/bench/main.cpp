/// @file
/// bench: how near our kernels come to what this machine can do, all measured side by side in one run.
#include <fstream>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/check.h"
#include "stages/bench/forward_benchmarks.h"
#include "stages/bench/limit_benchmarks.h"
#include "stages/bench/memory_use.h"
#include "stages/bench/model_pages.h"
#include "stages/bench/operation_benchmarks.h"
#include "stages/bench/report.h"
#include "stages/core/command_line.h"
#include "stages/core/program.h"
#include "stages/core/run_report.h"

namespace {

using namespace stagecraft;
using namespace stagecraft::bench;
using cpu::CpuDevice;

constexpr Effort kThorough{15, 0.02};
constexpr Effort kQuick{3, 0.005};
constexpr int64_t kColdBytes = 256 << 20;  // beyond any cache

constexpr const char* kExamples = R"(examples:
  bench                                   the model in the repo, 1 to all threads
  bench --model DIR --threads 2 --json bench.json
  bench --quick
  bench --model DIR --fresh               as after a restart: the file comes from the disk, into huge pages if Linux can

exit: 0 done, 1 failed while running, 2 bad usage or bad input.)";

struct BenchOptions {
  std::string model = default_model().string();
  std::string json;
  int threads = 0;
  bool quick = false;
  bool fresh = false;
};

/// Returns empty after it has printed the help that was asked for.
std::optional<BenchOptions> parse_options(int argc, const char* const* argv) {
  BenchOptions options;
  CLI::App app("Kernels and forward passes against the limits of this machine.", "bench");
  app.add_option("--model", options.model, "Hugging Face folder; operations take their shapes from it")
      ->type_name("DIR")
      ->capture_default_str();
  app.add_option("--threads", options.threads, "measure 1 to so many threads; 0: all cores")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  app.add_option("--json", options.json, "write the results to this file, too")->type_name("FILE");
  app.add_flag("--quick", options.quick, "a few seconds, rougher figures");
  app.add_flag("--fresh", options.fresh, "drop the model's weights from the page cache first");
  app.footer(kExamples);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    throw BadInput(error.what(), "bench --help lists the options");
  }
  return options;
}

/// 1, 2, 4, ... and `most`.
std::vector<int> thread_counts(int most) {
  std::vector<int> counts;
  for (int threads = 1; threads < most; threads *= 2) counts.push_back(threads);
  counts.push_back(most);
  return counts;
}

int run(const BenchOptions& options) {
  std::ofstream json;
  if (!options.json.empty()) {
    json.open(options.json);
    if (!json)
      throw BadInput(fmt::format("--json {}: cannot be written", options.json), "name a file in a folder that exists");
  }
  const ModelConfig config = read_model_config(options.model);
  if (options.fresh) drop_from_page_cache(options.model);
  const ModelWeights weights = load_weights(options.model, config);

  std::vector<std::shared_ptr<CpuDevice>> devices;
  std::vector<std::shared_ptr<ForwardBench>> forwards;
  const int most_threads = options.threads > 0 ? options.threads : cpu::available_cores();
  for (const int threads : thread_counts(most_threads)) devices.push_back(std::make_shared<CpuDevice>(threads));

  BenchReport report{cpu_name().value_or("unknown processor"), options.model, {}, {}, {}, {}};
  // Before anything else takes memory: what one engine holds at most.
  forwards.push_back(std::make_shared<ForwardBench>(devices.back(), config, weights));
  forwards.back()->prefill();
  if (const auto peak = peak_memory()) {
    report.memory = MemoryUse{*peak, weights.bytes + forwards.back()->kv_and_logits_bytes()};
  }

  const auto memory = std::make_shared<ColdMemory>(kColdBytes);
  for (const auto& device : devices) add_operations(report.benchmarks, device, memory, config);
  add_plain_operations(report.benchmarks, memory, config);
  // In the middle of a round, as near as can be to all that is compared with them.
  for (const auto& device : devices) add_limits(report.benchmarks, device, memory);
  for (const auto& device : devices) {
    if (device != devices.back()) forwards.push_back(std::make_shared<ForwardBench>(device, config, weights));
  }
  for (const auto& forward : forwards) {
    forward->prefill();  // decoding reads what it has stored
    forward->add_to(report.benchmarks, forward);
  }

  report.timings = measure_in_turns(report.benchmarks, options.quick ? kQuick : kThorough);
  report.pages = model_pages(weights);
  fmt::print("{}", as_table(report));
  if (json.is_open()) {
    json << as_json(report).dump(2) << "\n";
    if (!json.flush()) throw Failure(fmt::format("{}: writing failed", options.json), "is the disk full?");
  }
  return kExitDone;
}

}  // namespace

int main(int argc, char** argv) {
  return run_program("bench", [&] {
    const std::optional<BenchOptions> options = parse_options(argc, argv);
    return options ? run(*options) : kExitDone;
  });
}
