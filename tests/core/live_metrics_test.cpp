/// @file
/// Live metrics: text that Prometheus can parse (by a small parser of its grammar), numbers that follow from the records,
/// a file that is never half written, and a run cut into slices.
#include <chrono>
#include <fstream>
#include <limits>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "kernels/check.h"
#include "stages/core/generation.h"
#include "stages/core/metrics_file.h"
#include "stages/core/metrics_text.h"
#include "stages/core/run_panels.h"
#include "stages/core/run_series.h"
#include "tests/catch.h"
#include "tests/model_folder.h"

namespace stagecraft {
namespace {

/// What a scraper would have: values by name and labels. Fails on the first line that is not of the format.
class Scraped {
 public:
  explicit Scraped(const std::string& text) {
    static const std::regex help(R"(# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) .+)");
    static const std::regex type(R"(# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (gauge|counter|histogram))");
    static const std::regex sample(
        R"re(([a-zA-Z_:][a-zA-Z0-9_:]*)(\{([a-zA-Z_][a-zA-Z0-9_]*="(\\.|[^"\\\n])*",?)*\})? (\+Inf|-?[0-9.eE+-]+))re");
    std::istringstream lines(text);
    std::smatch match;
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      if (std::regex_match(line, match, help)) {
        family_ = match[1];
        REQUIRE(families_.insert(family_).second);  // once a metric
      } else if (std::regex_match(line, match, type)) {
        REQUIRE(match[1] == family_);
        type_ = match[2];
        if (type_ == "counter") REQUIRE(std::regex_match(family_, std::regex(".*_total")));
      } else {
        REQUIRE(std::regex_match(line, match, sample));
        add(match[1], match[2], match[5]);
      }
    }
  }

  double value(const std::string& name_and_labels) const {
    INFO(name_and_labels);
    REQUIRE(values_.count(name_and_labels) == 1);
    return values_.at(name_and_labels);
  }
  bool has(const std::string& family) const { return families_.count(family) > 0; }

 private:
  void add(const std::string& name, const std::string& labels, const std::string& number) {
    const bool of_family =
        type_ == "histogram" ? std::regex_match(name, std::regex(family_ + "_(bucket|sum|count)")) : name == family_;
    REQUIRE(of_family);
    REQUIRE(values_.emplace(name + labels, std::stod(number)).second);
    if (name != family_ + "_bucket") return;
    // Buckets of one histogram only rise.
    if (last_family_ == family_) REQUIRE(std::stod(number) >= last_bucket_);
    last_family_ = family_;
    last_bucket_ = std::stod(number);
  }

  std::string family_, type_, last_family_;
  double last_bucket_ = 0;
  std::set<std::string> families_;
  std::map<std::string, double> values_;
};

TimePoint at_ms(int64_t ms) { return TimePoint(std::chrono::milliseconds(ms)); }

/// Arrives at `arrival`, starts 10 ms later, then a chunk of one token every `gap` ms.
RequestRecord request(int id, int64_t arrival, int64_t gap, int tokens, FinishReason reason = FinishReason::length) {
  RequestRecord record;
  record.id = id;
  record.prompt_tokens = 6;
  record.finish_reason = reason;
  record.arrival = at_ms(arrival);
  record.scheduled = at_ms(arrival + 10);
  for (int i = 1; i <= tokens; ++i) {
    record.chunks.push_back({at_ms(arrival + 10 + i * gap), 1});
    record.output_ids.push_back(0);
  }
  return record;
}

StepRecord step(int64_t start, std::vector<StepPart> parts, int64_t held = 0) {
  StepRecord record;
  record.start = record.forwarded = record.finished = at_ms(start);
  record.parts = std::move(parts);
  record.kv_held_bytes = held;
  return record;
}

const std::string kLabels = "{model_name=\"m\",engine=\"0\"}";

std::string bucket(const std::string& le) { return "{model_name=\"m\",engine=\"0\",le=\"" + le + "\"}"; }

TEST_CASE("text: every kind of metric, and labels that need escaping", "[metrics_text]") {
  MetricsText text(MetricsText::Labels{{"name", "a \"b\" \\ c\nd"}});
  text.gauge("x:gauge", "Help.", 0.25);
  text.counter("x:count", "Help.", 1234567890123.0);
  const double bounds[] = {0.1, 2};
  text.histogram("x:time", "Help.", bounds, {0.1, 0.5, 3});
  CHECK(text.text() ==
        "# HELP x:gauge Help.\n# TYPE x:gauge gauge\nx:gauge{name=\"a \\\"b\\\" \\\\ c\\nd\"} 0.25\n"
        "# HELP x:count_total Help.\n# TYPE x:count_total counter\n"
        "x:count_total{name=\"a \\\"b\\\" \\\\ c\\nd\"} 1234567890123\n"
        "# HELP x:time Help.\n# TYPE x:time histogram\n"
        "x:time_bucket{name=\"a \\\"b\\\" \\\\ c\\nd\",le=\"0.1\"} 1\n"
        "x:time_bucket{name=\"a \\\"b\\\" \\\\ c\\nd\",le=\"2\"} 2\n"
        "x:time_bucket{name=\"a \\\"b\\\" \\\\ c\\nd\",le=\"+Inf\"} 3\n"
        "x:time_sum{name=\"a \\\"b\\\" \\\\ c\\nd\"} 3.6\nx:time_count{name=\"a \\\"b\\\" \\\\ c\\nd\"} 3\n");
  Scraped scraped(text.text());
  CHECK(scraped.has("x:time"));
}

TEST_CASE("metrics of a run that goes on follow from its records", "[live_metrics]") {
  RunSnapshot run;
  run.now = at_ms(1000);
  run.requests = {request(0, 0, 20, 3), request(1, 100, 50, 2), request(2, 900, 1, 0)};
  run.requests[2].scheduled.reset();
  run.ended = {true, false, false};
  const std::vector<StepRecord> steps = {step(10, {{0, 4, 0, 4}}, 10), step(20, {{0, 2, 0, 6}, {1, 6, 0, 6}}, 30),
                                         step(30, {{0, 1, 0, 7}, {1, 2, 1, 7}}, 40)};
  run.steps = &steps;
  run.kv_capacity_bytes = 160;
  const Scraped scraped(metrics_of(run, {"m", Slo{50, 25}}));
  CHECK(scraped.value("vllm:num_requests_running" + kLabels) == 1);
  CHECK(scraped.value("vllm:num_requests_waiting" + kLabels) == 1);
  CHECK(scraped.value("vllm:kv_cache_usage_perc" + kLabels) == 0.25);
  CHECK(scraped.value("vllm:prompt_tokens_total" + kLabels) == 6 + 6);
  CHECK(scraped.value("vllm:generation_tokens_total" + kLabels) == 5);
  CHECK(scraped.value("stagecraft:tokens_recomputed_total" + kLabels) == 1);
  CHECK(scraped.value("stagecraft:forward_passes_total" + kLabels) == 3);
  CHECK(scraped.value("vllm:request_success_total{model_name=\"m\",engine=\"0\",finished_reason=\"length\"}") == 1);
  CHECK(scraped.value("vllm:request_success_total{model_name=\"m\",engine=\"0\",finished_reason=\"stop\"}") == 0);
  CHECK(scraped.value("stagecraft:requests_within_slo_total" + kLabels) == 1);
  // First tokens after 30 and 60 ms; gaps of 20, 20 and 50 ms.
  CHECK(scraped.value("vllm:time_to_first_token_seconds_count" + kLabels) == 2);
  CHECK(scraped.value("vllm:time_to_first_token_seconds_bucket" + bucket("0.04")) == 1);
  CHECK(scraped.value("vllm:time_to_first_token_seconds_bucket" + bucket("0.06")) == 2);
  CHECK(scraped.value("vllm:inter_token_latency_seconds_bucket" + bucket("0.025")) == 2);
  CHECK(scraped.value("vllm:inter_token_latency_seconds_sum" + kLabels) == Approx(0.09));
  CHECK(scraped.value("vllm:e2e_request_latency_seconds_count" + kLabels) == 1);
  CHECK(scraped.value("vllm:iteration_tokens_total_sum" + kLabels) == 4 + 8 + 3);
  // What this stage does not have is absent, not zero.
  CHECK_FALSE(scraped.has("vllm:num_preemptions_total"));
  CHECK_FALSE(scraped.has("vllm:spec_decode_num_draft_tokens_total"));
}

TEST_CASE("paging and drafting add their counters, targets theirs", "[live_metrics]") {
  RunSnapshot run;
  run.requests = {request(0, 0, 20, 3, FinishReason::stop)};
  run.requests[0].preemptions = 2;
  run.requests[0].prefix_hit_tokens = 4;
  run.ended = {true};
  std::vector<StepRecord> steps = {step(10, {{0, 6, 0, 6}})};
  steps[0].parts[0].drafted = 3;
  steps[0].parts[0].accepted = 1;
  run.steps = &steps;
  const Scraped scraped(metrics_of(run, {"m"}));
  CHECK(scraped.value("vllm:num_preemptions_total" + kLabels) == 2);
  CHECK(scraped.value("vllm:prefix_cache_queries_total" + kLabels) == 6);
  CHECK(scraped.value("vllm:prefix_cache_hits_total" + kLabels) == 4);
  CHECK(scraped.value("vllm:spec_decode_num_draft_tokens_total" + kLabels) == 3);
  CHECK(scraped.value("vllm:spec_decode_num_accepted_tokens_total" + kLabels) == 1);
  CHECK_FALSE(scraped.has("stagecraft:requests_within_slo_total"));
}

TEST_CASE("the file is there from the start, and whole at the end", "[live_metrics]") {
  const testing::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "metrics.prom";
  const auto content = [&] {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  };
  MetricsFile file(path, {"m"}, 1);
  CHECK(Scraped(content()).value("vllm:num_requests_running" + kLabels) == 0);
  RunLog log;
  log.requests = {request(0, 0, 20, 3)};
  file.finish(log);
  CHECK(Scraped(content()).value("vllm:generation_tokens_total" + kLabels) == 3);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "metrics.prom.new"));
  CHECK_THROWS_AS(MetricsFile(folder.path() / "nowhere" / "m.prom", {"m"}, 1), BadInput);
}

TEST_CASE("a run is cut into slices, and nothing is lost", "[run_series]") {
  RunLog log;
  log.start = at_ms(0);
  log.end = at_ms(200);
  log.requests = {request(0, 0, 20, 3), request(1, 100, 30, 3), request(2, 0, 1, 1, FinishReason::refused)};
  log.steps = {step(10, {{0, 6, 0, 6}}, 5'000'000), step(110, {{1, 6, 0, 6}, {0, 1, 0, 7}}, 3'000'000)};
  const std::vector<RunSlice> slices = run_slices(log, 4, Slo{35, 100});
  REQUIRE(slices.size() == 4);
  CHECK(slices[0].second == Approx(0.025));
  CHECK(slices[0].running == 1);
  CHECK(slices[2].running == 1);
  double output = 0, prompts = 0, ended = 0;
  for (const RunSlice& slice : slices) {
    output += slice.output_tokens_per_s * 0.05;
    prompts += slice.prompt_tokens_per_s * 0.05;
    ended += (slice.met_per_s + slice.missed_per_s) * 0.05;
  }
  CHECK(output == Approx(6));
  CHECK(prompts == Approx(12));
  CHECK(ended == Approx(2));
  CHECK(slices[1].met_per_s == Approx(20));     // ended after 70 ms, first token after 30
  CHECK(slices[3].missed_per_s == Approx(20));  // first token after 40
  CHECK(slices[0].rows_per_step == 6);
  CHECK(slices[2].rows_per_step == 7);
  CHECK(slices[1].kv_held_mb == 5);  // held on while no step begins
  CHECK(slices[3].kv_held_mb == 3);
  CHECK(*slices[1].itl_p50_ms == 20);
  CHECK_FALSE(slices[0].itl_p50_ms);
  CHECK(run_slices({}, 4, std::nullopt).empty());
}

TEST_CASE("panels draw what was asked for, and no target that is infinite", "[run_panels]") {
  RunLog log;
  log.end = at_ms(200);
  log.requests = {request(0, 0, 20, 3)};
  log.steps = {step(10, {{0, 6, 0, 6}}, 5'000'000)};
  const std::string plain = run_panels(log, std::nullopt);
  CHECK(plain.find("Time to first token") != std::string::npos);
  CHECK(plain.find("Requests that ended") == std::string::npos);
  const std::string with = run_panels(log, Slo{std::numeric_limits<double>::infinity(), 5});
  CHECK(with.find("Requests that ended") != std::string::npos);
  CHECK(with.find("inf") == std::string::npos);
  CHECK(with.find("nan") == std::string::npos);
  CHECK(run_panels({}, std::nullopt).empty());
}

}  // namespace
}  // namespace stagecraft
