/// @file
/// Charts and tables: what is in them, what is left out, and that text stays text.
#include "stages/compare/charts.h"

#include "stages/compare/kv_chart.h"
#include "stages/compare/request_timeline.h"
#include "stages/core/html_page.h"
#include "stages/core/svg_plot.h"
#include "tests/catch.h"
#include "tests/compare/compare_runs.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

void check_numbers(const std::string& svg) {
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf") == std::string::npos);
}

}  // namespace

TEST_CASE("a plot has a title and a description, and escapes its texts", "[compare][charts]") {
  SvgPlot plot({"a < b", "\"c\" & d", "x <label>", "y"}, 10, 5);
  plot.text(1, 2, "<script>", "axis");
  const std::string svg = plot.svg();
  CHECK(svg.find("<title>a &lt; b</title><desc>&quot;c&quot; &amp; d</desc>") != std::string::npos);
  CHECK(svg.find("x &lt;label&gt;") != std::string::npos);
  CHECK(svg.find("<script>") == std::string::npos);
  CHECK(svg.ends_with("</svg>\n"));
}

TEST_CASE("a plot maps 0 and the largest values to the ends of its axes", "[compare][charts]") {
  const PlotFrame frame;
  const SvgPlot plot({"t", "d", "x", "y"}, 40, 8, frame);
  CHECK(plot.x(0) == Approx(frame.left));
  CHECK(plot.x(40) == Approx(frame.width - frame.right));
  CHECK(plot.y(0) == Approx(frame.height - frame.bottom));
  CHECK(plot.y(8) == Approx(frame.top));
}

TEST_CASE("a plot of nothing is empty, not broken", "[compare][charts]") {
  SvgPlot plot({"t", "d", "x", "y"}, 0, 0);
  plot.curve({}, "curve");
  plot.curve({{0, 0}}, "curve");
  plot.fill({}, "dot");
  plot.area({0, 0}, {0, 0}, "dot");
  check_numbers(plot.svg());
  CHECK(count_of(plot.svg(), "<poly") == 0);
}

TEST_CASE("the ladder's chart has a bar a stage, and another colour for a loss", "[compare][charts]") {
  const std::vector<StageRuns> stages = {small_runs({8}), small_runs({4}), small_runs({6})};
  for (const LadderRow& row : ladder_of(stages)) {
    const std::string chart = ladder_chart(row, stages);
    if (row.metric.key == "duration_ms") {
      CHECK(count_of(chart, "<rect") == 3);
      CHECK(count_of(chart, "<rect class=\"second\"") == 1);
      CHECK(chart.find("18.00  x1.50!") != std::string::npos);
      check_numbers(chart);
    }
    if (row.metric.key == "padded_tokens" || row.metric.key == "tokens_recomputed") CHECK(chart.empty());
  }
}

TEST_CASE("throughput over batch size: a dot a size, dashed only where there is a prediction", "[compare][charts]") {
  const StageInfo third{3, "batching", "", ""}, fourth{4, "continuous_batching", "", ""};
  std::vector<BatchPoint> sweep = {
      {third, 1, 50, std::nullopt}, {fourth, 1, 60, std::nullopt}, {third, 2, 90, std::nullopt}};
  CHECK(largest_throughput(sweep) == 90);
  std::string chart = throughput_chart(third, sweep, 90);
  CHECK(count_of(chart, "<circle") == 2);
  CHECK(count_of(chart, "dashed") == 0);
  check_numbers(chart);
  for (BatchPoint& point : sweep) point.predicted_tokens_per_s = 200;
  CHECK(largest_throughput(sweep) == 200);
  CHECK(count_of(throughput_chart(third, sweep, 200), "dashed") == 1);
  CHECK(throughput_chart({2, "kv_cache", "", ""}, sweep, 90).empty());
  CHECK(throughput_chart(third, {}, largest_throughput({})).empty());
}

TEST_CASE("K/V over time is what the steps held; idle tokens count", "[compare][charts]") {
  RunLog log = small_log(10);
  log.steps[1].kv_used_bytes += 20;  // two tokens of a request that sits the step out
  const std::vector<KvMoment> moments = kv_over_time(log, 100);
  REQUIRE(moments.size() == 4);
  CHECK(moments[0].bytes == 30);
  CHECK(moments[1].ms == 10);
  CHECK(moments[1].bytes == 110);
  CHECK(moments[2].bytes == 110);
  CHECK(moments[3].ms == 30);
  const std::vector<KvMoment> fewer = kv_over_time(log, 1);
  REQUIRE(fewer.size() == 2);
  CHECK(fewer[0].bytes == 110);
  CHECK(kv_over_time({}, 100).empty());
  // 30, 90 and 110 of 200 bytes for 10 ms each.
  CHECK(kv_use(small_report(10)) == Approx(230.0 / 600));
  CHECK(kv_use(RunReport{}) == 0);
  check_numbers(kv_chart(small_report(10), 200));
  CHECK(kv_chart(RunReport{}, 0).empty());
}

TEST_CASE("a timeline's span lasts while a request does the same in steps without a gap", "[compare][charts]") {
  using Work = TimelineSpan::Work;
  RunLog log = small_log(10);
  log.steps.push_back({at_ms(30), at_ms(40), at_ms(40), {{1, 1, 0, 7}}});
  log.steps.push_back({at_ms(40), at_ms(50), at_ms(50), {{0, 1, 0, 6}}});
  const std::vector<TimelineSpan> spans = timeline_of(log);
  const auto is = [&](size_t i, int request, Work work, size_t first, size_t last) {
    const TimelineSpan& span = spans[i];
    return span.request == request && span.work == work && span.first_step == first && span.last_step == last;
  };
  REQUIRE(spans.size() == 5);
  CHECK(is(0, 0, Work::prompt, 0, 0));
  CHECK(is(1, 0, Work::output, 1, 2));
  CHECK(is(2, 1, Work::prompt, 1, 1));
  CHECK(is(3, 1, Work::output, 2, 3));
  CHECK(is(4, 0, Work::output, 4, 4));  // it was left out of step 3
  CHECK(timeline_of({}).empty());
}

TEST_CASE("the timeline draws at most so many requests, and nothing for a run without steps", "[compare][charts]") {
  RunReport report = small_report(10);
  const std::string small = timeline_chart(report);
  CHECK(count_of(small, "class=\"soft\"") == 2);
  CHECK(count_of(small, "<rect") == 2 + 4);
  for (int id = 2; id < 200; ++id) report.log.requests.push_back(request_with_chunks(id, 1, 5, {}));
  report.log.steps.push_back({at_ms(30), at_ms(40), at_ms(40), {{199, 1, 0, 1}}});
  CHECK(count_of(timeline_chart(report), "class=\"soft\"") == kTimelineRequests);
  CHECK(count_of(timeline_chart(report), "<rect") == kTimelineRequests + 4);
  CHECK(timeline_chart(RunReport{}).empty());
}

TEST_CASE("a table names its columns in each cell, for phones, and escapes", "[compare][charts]") {
  const std::string html = stacking_table({"<caption>", {"", "a & b"}, {{{"row <1>"}, {"5 < 6", "loss"}}}});
  CHECK(html.find("&lt;caption&gt;") != std::string::npos);
  CHECK(html.find("row &lt;1&gt;</th>") != std::string::npos);
  CHECK(html.find("<td role=\"cell\" class=\"loss\" data-label=\"a &amp; b\">5 &lt; 6</td>") != std::string::npos);
  CHECK(stacking_table({"", {}, {}}).find("<tbody") != std::string::npos);
}
