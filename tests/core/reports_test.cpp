/// @file
/// One run in all its forms: JSON, table, trace, page.
#include <algorithm>
#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "stages/core/html_report.h"
#include "stages/core/itl_chart.h"
#include "stages/core/latency_table.h"
#include "stages/core/report_json.h"
#include "stages/core/svg_plot.h"
#include "stages/core/trace.h"
#include "tests/catch.h"
#include "tests/core/run_records.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

RunReport sample_report() {
  RunReport report;
  report.stage = {2, "kv_cache", "stage2_kv_cache", "an idea"};
  report.device = "cpu";
  report.threads = 2;
  report.model = {"tales", "LlamaForCausalLM", 4'951'296, 9'902'592, "bf16"};
  report.log.start = at_ms(0);
  report.log.end = at_ms(1000);
  report.log.requests = {request_with_chunks(0, 3, 5, {{10, 1}, {50, 2}, {90, 2}}),
                         request_with_chunks(1, 4, 95, {{100, 1}, {125, 1}})};
  report.log.requests[0].text = "1 < 2 & \"x\"";
  report.log.steps = {step_between(5, 9, {{0, 3, 0, 3}}), step_between(20, 45, {{0, 4, 3, 4}})};
  report.counts = count_work(report.log.steps, {100, kRecordedKvBytesPerToken});
  report.totals = totals_of(report.log, report.counts, 1000, {});
  report.work = {{"forward passes", "2", "one a <token>"}};
  return report;
}

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("the JSON report holds what METRICS lists, times as numbers and counts as integers", "[report]") {
  const nlohmann::ordered_json json = report_json(sample_report());
  CHECK(json["stage"] == 2);
  CHECK(json["name"] == "kv_cache");
  CHECK(json["device"] == "cpu");
  CHECK(json["threads"] == 2);
  CHECK(json["model"] == nlohmann::ordered_json{{"architecture", "LlamaForCausalLM"},
                                                {"parameters", 4'951'296},
                                                {"weight_bytes", 9'902'592},
                                                {"dtype", "bf16"}});
  REQUIRE(json["requests"].size() == 2);
  const auto& request = json["requests"][0];
  CHECK(request["prompt_tokens"] == 3);
  CHECK(request["output_ids"].size() == 5);
  CHECK(request["finish_reason"] == "length");
  CHECK(request["queue_ms"] == 5.0);
  CHECK(request["ttft_ms"] == 10.0);
  CHECK(request["tpot_ms"] == 20.0);
  CHECK(request["itl_ms"] == std::vector<double>{40, 40});
  CHECK(request["e2e_ms"] == 90.0);
  for (const auto& [name, count] : json["counts"].items()) {
    INFO(name);
    CHECK(count.is_number_integer());
  }
  CHECK(json["counts"]["tokens_forwarded"] == 7);
  CHECK(json["totals"]["duration_ms"] == 1000.0);
}

TEST_CASE("a field that a stage does not have is absent, never zero", "[report]") {
  RunReport report = sample_report();
  nlohmann::ordered_json json = report_json(report);
  for (const char* name : {"padded_tokens", "drafted", "accepted", "target_passes"}) {
    CHECK_FALSE(json["counts"].contains(name));
  }
  for (const char* name : {"mbu", "mfu"}) CHECK_FALSE(json["totals"].contains(name));
  for (const char* name : {"preemptions", "prefix_hit_tokens"}) CHECK_FALSE(json["requests"][0].contains(name));
  CHECK(json["machine"]["read_bandwidth_gbs"].is_null());
  CHECK_FALSE(json["machine"].contains("cpu"));

  report.counts.drafted = 0;
  report.log.requests[0].preemptions = 0;
  report.limits.read_bandwidth_gbs = 18.5;
  json = report_json(report);
  CHECK(json["counts"]["drafted"] == 0);
  CHECK(json["requests"][0]["preemptions"] == 0);
  CHECK(json["machine"]["read_bandwidth_gbs"] == 18.5);
}

TEST_CASE("a request without output has no times in the report", "[report]") {
  RunReport report = sample_report();
  report.log.requests = {request_with_chunks(0, 3, 5, {})};
  const nlohmann::ordered_json json = report_json(report);
  for (const char* name : {"ttft_ms", "tpot_ms", "itl_ms", "e2e_ms"}) CHECK_FALSE(json["requests"][0].contains(name));
}

TEST_CASE("the table shows each latency with its n, marks an unreliable p99, and ends with the stage's lines",
          "[report]") {
  const std::string table = latency_table(sample_report());
  for (const char* name : {"queue time", "time to first token", "inter-token latency", "time per output token",
                           "end to end", "forward passes"}) {
    CHECK(count_of(table, name) == 1);
  }
  CHECK(count_of(table, "~\n") == 5);
  CHECK(table.find(kUnreliableP99) != std::string::npos);
  CHECK(table.find("7 output tokens in 1.00 s") != std::string::npos);
}

TEST_CASE("a p99 of 1,000 values carries no mark", "[report]") {
  RunReport report = sample_report();
  report.log.requests.clear();
  for (int id = 0; id < 1000; ++id) report.log.requests.push_back(request_with_chunks(id, 3, 1, {{2, 1}, {4, 1}}));
  CHECK(latency_table(report).find('~') == std::string::npos);
}

TEST_CASE("the trace is Chrome's: complete events with start and duration in microseconds, a lane a request",
          "[report]") {
  const RunLog log = sample_report().log;
  const nlohmann::ordered_json trace = trace_json({{"a run", log}});
  int forward_spans = 0, lanes = 0, chunks = 0;
  for (const auto& event : trace["traceEvents"]) {
    REQUIRE(event.contains("ph"));
    REQUIRE(event.contains("pid"));
    if (event["name"] == "process_name") continue;
    REQUIRE(event.contains("tid"));
    if (event["ph"] == "X") CHECK(event["dur"] >= 0.0);
    lanes += event["name"] == "thread_name";
    chunks += event["name"] == "chunk";
    if (event["name"] != "forward") continue;
    ++forward_spans;
    if (forward_spans == 2) {
      CHECK(event["ts"] == 20'000.0);
      CHECK(event["dur"] == 25'000.0);
      CHECK(event["args"]["recomputed"] == 3);
    }
  }
  CHECK(forward_spans == 2);
  CHECK(lanes == 3);
  CHECK(chunks == 5);
}

TEST_CASE("the page needs nothing else, escapes text, and knows light and dark", "[report]") {
  const std::string page = html_report(sample_report());
  for (const char* outside : {"http:", "https:", "<script", "<link", "src=", "url("}) {
    CHECK(page.find(outside) == std::string::npos);
  }
  CHECK(page.find("1 &lt; 2 &amp; &quot;x&quot;") != std::string::npos);
  CHECK(page.find("one a &lt;token&gt;") != std::string::npos);
  CHECK(page.find("prefers-color-scheme: dark") != std::string::npos);
  CHECK(page.find("<svg") != std::string::npos);
}

TEST_CASE("the chart has a dot for each gap a client waited, inside its frame", "[report]") {
  const std::string chart = itl_chart(sample_report().log.requests);
  CHECK(count_of(chart, "<circle") == 3);
  CHECK(chart.find("nan") == std::string::npos);
  CHECK(chart.find("inf") == std::string::npos);
  CHECK(itl_chart({request_with_chunks(0, 3, 5, {{10, 1}})}).empty());
  CHECK(itl_chart({request_with_chunks(0, 3, 5, {{10, 1}, {10, 1}})}).find("nan") == std::string::npos);
}

TEST_CASE("axis steps are 1, 2 or 5 times a power of ten, and give three to ten labels", "[report]") {
  for (double largest = 1e-3; largest < 1e6; largest *= 1.3) {
    const double step = axis_step(largest);
    const double mantissa = step / std::pow(10.0, std::floor(std::log10(step) + 1e-9));
    INFO(largest << " " << step);
    CHECK((std::abs(mantissa - 1) < 1e-6 || std::abs(mantissa - 2) < 1e-6 || std::abs(mantissa - 5) < 1e-6));
    CHECK(largest / step >= 2.0 - 1e-9);
    CHECK(largest / step <= 5.0 + 1e-9);
  }
}

TEST_CASE("numbers get commas by threes", "[report]") {
  CHECK(with_commas(0) == "0");
  CHECK(with_commas(999) == "999");
  CHECK(with_commas(1000) == "1,000");
  CHECK(with_commas(123456) == "123,456");
  CHECK(with_commas(-1234567) == "-1,234,567");
}
