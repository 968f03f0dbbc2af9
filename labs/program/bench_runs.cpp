#include "labs/program/bench_runs.h"

#include <algorithm>
#include <cmath>

#include "kernels/check.h"
#include "labs/program/child.h"

namespace stagecraft::labs {
namespace {

using Json = nlohmann::json;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

StageRun from_json(const Json& report) {
  StageRun run;
  run.outputs = Json::array();
  for (const Json& request : report.at("requests")) {
    run.outputs.push_back(request.at("output_ids"));
    run.tokens += int64_t(request.at("output_ids").size());
  }
  const Json& counts = report.at("counts");
  run.tokens_per_s = report.at("totals").value("output_tokens_per_s", 0.0);
  run.forwarded = counts.at("tokens_forwarded");
  run.recomputed = counts.at("tokens_recomputed");
  run.bytes = counts.at("weight_bytes_read").get<double>() + counts.at("kv_bytes_read").get<double>();
  constexpr double kMultiplyAndAdd = 2;
  run.flop = kMultiplyAndAdd * report.at("model").at("parameters").get<double>() * double(run.forwarded);
  run.device = report.at("device");
  run.threads = report.at("threads");
  return run;
}

}  // namespace

double Contestant::tokens_per_s() const {
  std::vector<double> all;
  for (const StageRun& run : runs) all.push_back(run.tokens_per_s);
  return median(all);
}

double ideal_tokens_per_s(const StageRun& run, const MachineSpeed& machine) {
  return double(run.tokens) / std::max(run.bytes / machine.bytes_per_s, run.flop / machine.flop_per_s);
}

Ratio ratio_of(const Contestant& mine, const Contestant& other) {
  std::vector<double> ratios;
  for (size_t round = 0; round < mine.runs.size(); ++round) {
    ratios.push_back(mine.runs[round].tokens_per_s / other.runs[round].tokens_per_s);
  }
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  Ratio ratio{median(ratios), *least, *most, false};
  constexpr double kNoise = 0.05;  // what two runs of one program differ by on a machine that does nothing else
  const bool all_agree = *least > 1 || *most < 1;
  ratio.conclusive = ratios.size() > 1 && all_agree && std::abs(ratio.median - 1) > kNoise;
  return ratio;
}

StageRun run_stage(const Contestant& contestant, const std::vector<std::string>& arguments, const Path& source,
                   const Path& report) {
  std::filesystem::remove(report);
  std::vector<std::string> command = {"/usr/bin/env", "-C",           source.string(), contestant.program.string(),
                                      "--json",       report.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  constexpr double kMostSeconds = 300;
  ChildOptions how;
  how.seconds = kMostSeconds;
  const ChildResult child = run_child(command, how);
  if (child.exit_code != 0) {
    throw Failure(fmt::format("{} failed with exit code {}:\n{}", contestant.name, child.exit_code, child.output));
  }
  try {
    return from_json(Json::parse(read_file(report)));
  } catch (const Json::exception& error) {
    throw Failure(fmt::format("{}: its report cannot be read: {}", contestant.name, error.what()));
  }
}

MachineSpeed measure_machine(const Path& programs, int threads) {
  const ChildResult child = run_child({(programs / "lab_limits").string(), std::to_string(threads)});
  const Json json = Json::parse(child.output, nullptr, false);
  if (child.exit_code != 0 || !json.is_object()) throw Failure("lab_limits failed:\n" + child.output);
  return {json.at("bytes_per_s"), json.at("flop_per_s")};
}

}  // namespace stagecraft::labs
