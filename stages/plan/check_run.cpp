/// @file
/// Rounds of calibrating and serving.
#include "stages/plan/check_run.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/check.h"
#include "kernels/cpu/cpu_device.h"
#include "stages/4_continuous_batching/engine.h"
#include "stages/4_continuous_batching/simulation.h"
#include "stages/core/engine.h"
#include "stages/core/metrics.h"
#include "stages/core/run_report.h"
#include "stages/plan/calibration.h"
#include "stages/plan/processor_clock.h"

namespace stagecraft {
namespace {

constexpr int64_t kBatches[] = {1, 2, 4, 8, 16};
constexpr int64_t kPrompts[] = {32, 128, 512, 1024};
constexpr int64_t kOutputTokens = 16;
constexpr int kCalibrationsPerRound = 5;
constexpr double kMsPerSecond = 1e3;
constexpr double kLeastSeconds = 0.2, kMostServings = 10;  // of a case in a round
constexpr NumberType kKvType = NumberType::bf16;

struct Case {
  Workload workload;
  int64_t requests = 0, prompt_tokens = 0;
  int servings = 1;                      // in a round: short ones need more, to be free of interruptions now and then
  std::vector<double> ttft_ms, tpot_ms;  // (rounds) means over the requests
};

Case case_of(int64_t requests, int64_t prompt_tokens) {
  Case a_case{{fmt::format("{} x {}", requests, prompt_tokens), {}}, requests, prompt_tokens, 1, {}, {}};
  a_case.workload.requests.assign(size_t(requests), {.prompt_tokens = prompt_tokens, .output_tokens = kOutputTokens});
  return a_case;
}

/// Engine, clock and calibration of one check.
class Bench {
 public:
  explicit Bench(const CheckSettings& settings)
      : engine_(engine_of(settings)),
        clock_(clock_of(settings)),
        timer_(*engine_.model, *clock_, kKvType, Calibration::kMostRequests, longest_of(engine_.config)),
        calibration_(longest_of(engine_.config)) {}

  void calibrate(int times) {
    for (int i = 0; i < times; ++i) {
      calibration_.measure(timer_);
      Case engine = case_of(1, Calibration::kEngineTokens - kOutputTokens / 2);
      serve(engine);
      calibration_.add_engine_step(engine.tpot_ms.front() / kMsPerSecond);
    }
  }

  std::vector<Case> cases() const {
    std::vector<Case> cases;
    for (const int64_t prompt : kPrompts) {
      const int64_t fits = std::min(prompt, longest_of(engine_.config) - kOutputTokens);
      if (!cases.empty() && cases.back().prompt_tokens == fits) continue;
      for (const int64_t requests : kBatches) cases.push_back(case_of(requests, fits));
    }
    return cases;
  }

  /// Serves a case by the engine, and notes its means.
  void serve(Case& a_case) {
    ContinuousEngine stage(options_for(a_case));
    RunSettings settings;
    settings.kv_type = kKvType;
    settings.end_of_text = std::vector<TokenId>();  // each output is as long as the case says
    settings.clock = clock_.get();
    note(engine_.run(stage, jobs_from(a_case.workload, {}, engine_.config), settings), a_case);
  }

  /// The same by the calibrated cost.
  RunLog predict(const Case& a_case) const {
    const ContinuousOptions options = options_for(a_case);
    const SimulationOptions simulation{
        .cost = calibration_.cost(*engine_.model), .scheduler = options.scheduler, .step_tokens = options.token_budget};
    return simulate(a_case.workload, simulation).log;
  }

  static void note(const RunLog& log, Case& a_case) {
    const LatencySummary latency = latency_summary(log.requests);
    check(latency.ttft && latency.tpot, "every request of a check is answered");
    a_case.ttft_ms.push_back(latency.ttft->mean);
    a_case.tpot_ms.push_back(latency.tpot->mean);
  }

  const Calibration& calibration() const { return calibration_; }

 private:
  /// Tokens of the longest request.
  static int64_t longest_of(const ModelConfig& config) {
    return std::min<int64_t>(config.context, kPrompts[std::size(kPrompts) - 1] + kOutputTokens);
  }

  static Engine engine_of(const CheckSettings& settings) {
    ModelFiles files = read_model_files(settings.model);
    const int64_t longest = longest_of(files.config);
    return open_engine(std::move(files), std::make_unique<cpu::CpuDevice>(settings.threads), longest);
  }

  static std::unique_ptr<EngineClock> clock_of(const CheckSettings& settings) {
    if (settings.processor_time) return std::make_unique<ProcessorClock>();
    return std::make_unique<WallClock>();
  }

  static ContinuousOptions options_for(const Case& a_case) {
    ContinuousOptions options;
    options.scheduler.max_running = int(a_case.requests);
    return options;
  }

  Engine engine_;
  std::unique_ptr<EngineClock> clock_;
  StepTimer timer_;
  Calibration calibration_;
};

CheckPoint point_of(const Case& a_case, const Bench& bench) {
  Case predicted = case_of(a_case.requests, a_case.prompt_tokens);
  Bench::note(bench.predict(a_case), predicted);
  const auto slowest = [](const std::vector<double>& values) {
    return *std::max_element(values.begin(), values.end());
  };
  return {a_case.requests,         a_case.prompt_tokens,      predicted.ttft_ms.front(), median_of(a_case.ttft_ms),
          slowest(a_case.ttft_ms), predicted.tpot_ms.front(), median_of(a_case.tpot_ms), slowest(a_case.tpot_ms)};
}

std::string percent(double share) { return fmt::format("{:+.0f}%", 100 * share); }

}  // namespace

CheckResult check_on_this_machine(const CheckSettings& settings) {
  Bench bench(settings);
  CheckResult result;
  result.model = settings.model.filename().string();
  result.cpu = cpu_name().value_or("unknown processor");
  result.threads = settings.threads;
  result.rounds = settings.rounds;
  result.processor_time = settings.processor_time;

  bench.calibrate(kCalibrationsPerRound);
  std::vector<Case> cases;
  for (Case& a_case : bench.cases()) {
    const RunLog log = bench.predict(a_case);
    const double seconds = milliseconds(log.start, log.end) / kMsPerSecond;
    if (seconds <= settings.seconds) {
      a_case.servings = int(std::clamp(kLeastSeconds / seconds, 1.0, kMostServings));
      cases.push_back(std::move(a_case));
    } else {
      result.left_out.push_back(
          fmt::format("{} x {} tokens: {:.0f} s", a_case.requests, a_case.prompt_tokens, seconds));
    }
  }
  for (int round = 0; round < settings.rounds; ++round) {
    for (Case& a_case : cases) {
      for (int i = 0; i < a_case.servings; ++i) bench.serve(a_case);
      bench.calibrate(1);
    }
    bench.calibrate(kCalibrationsPerRound);
  }
  for (const Case& a_case : cases) result.points.push_back(point_of(a_case, bench));
  result.spread = bench.calibration().typical_spread();
  return result;
}

std::string check_text(const CheckResult& result) {
  std::string text = fmt::format("{}, {} thread{}, model {}; {} time, the median of {} rounds; ", result.cpu,
                                 result.threads, result.threads == 1 ? "" : "s", result.model,
                                 result.processor_time ? "processor" : "wall-clock", result.rounds);
  text += fmt::format("the typical step took up to {:.2f} times as long in others\n\n", result.spread);
  text += fmt::format("{:>9} {:>7}  {:>10} {:>10} {:>6}  {:>10} {:>10} {:>6}\n", "", "", "TTFT, ms", "", "", "TPOT, ms",
                      "", "");
  text += fmt::format("{:>9} {:>7}  {:>10} {:>10} {:>6}  {:>10} {:>10} {:>6}\n", "requests", "prompt", "predicted",
                      "measured", "error", "predicted", "measured", "error");
  double worst_ttft = 0, worst_tpot = 0;
  for (const CheckPoint& point : result.points) {
    text +=
        fmt::format("{:>9} {:>7}  {:>10.2f} {:>10.2f} {:>6}  {:>10.3f} {:>10.3f} {:>6}\n", point.requests,
                    point.prompt_tokens, point.predicted_ttft_ms, point.measured_ttft_ms, percent(point.ttft_error()),
                    point.predicted_tpot_ms, point.measured_tpot_ms, percent(point.tpot_error()));
    worst_ttft = std::max(worst_ttft, std::abs(point.ttft_error()));
    worst_tpot = std::max(worst_tpot, std::abs(point.tpot_error()));
  }
  text += fmt::format("\nlargest error: TTFT {:.0f}% (bar {:.0f}%), TPOT {:.0f}% (bar {:.0f}%)\n", 100 * worst_ttft,
                      100 * kTtftBar, 100 * worst_tpot, 100 * kTpotBar);
  for (const std::string& left_out : result.left_out) text += "left out, too slow: " + left_out + "\n";
  return text;
}

nlohmann::ordered_json check_json(const CheckResult& result) {
  nlohmann::ordered_json json = {{"cpu", result.cpu},
                                 {"threads", result.threads},
                                 {"model", result.model},
                                 {"rounds", result.rounds},
                                 {"clock", result.processor_time ? "processor" : "wall"},
                                 {"typical_slowest_over_median", result.spread},
                                 {"points", nlohmann::ordered_json::array()},
                                 {"left_out", result.left_out}};
  const auto times = [](double predicted, double measured, double slowest, double error) {
    return nlohmann::ordered_json{
        {"predicted", predicted}, {"measured", measured}, {"slowest", slowest}, {"error", error}};
  };
  for (const CheckPoint& point : result.points) {
    json["points"].push_back(
        {{"requests", point.requests},
         {"prompt_tokens", point.prompt_tokens},
         {"ttft_ms", times(point.predicted_ttft_ms, point.measured_ttft_ms, point.slowest_ttft_ms, point.ttft_error())},
         {"tpot_ms",
          times(point.predicted_tpot_ms, point.measured_tpot_ms, point.slowest_tpot_ms, point.tpot_error())}});
  }
  return json;
}

}  // namespace stagecraft
