/// @file
/// Medians, ratios, and what counts as a loss.
#include "stages/compare/ladder.h"

#include "kernels/check.h"
#include "stages/compare/compare_table.h"
#include "stages/compare/stage_list.h"
#include "tests/catch.h"
#include "tests/compare/compare_runs.h"

using namespace stagecraft;
using namespace stagecraft::testing;

TEST_CASE("a metric over rounds is their median, between least and most", "[compare]") {
  const std::optional<Spread> spread = spread_of(metric_of("duration_ms"), small_runs({7, 2, 3}));
  REQUIRE(spread);
  CHECK(spread->median == 9);
  CHECK(spread->least == 6);
  CHECK(spread->most == 21);
  CHECK(spread->percent() == Approx(100.0 * 15 / 9));
  CHECK_FALSE(spread_of(metric_of("padded_tokens"), small_runs({7, 2, 3})));
}

TEST_CASE("the typical round is that of median duration", "[compare]") {
  CHECK(small_runs({7, 2, 3}).typical().totals.duration_ms == 9);
  CHECK(small_runs({7, 2}).typical().totals.duration_ms == 6);
  CHECK(small_runs({4}).typical().totals.duration_ms == 12);
}

TEST_CASE("a count that differs is a gain or a loss, by which way is better", "[compare]") {
  const Metric passes = metric_of("forward_passes");
  const LadderCell fewer = compare_cells(passes, Spread{8, 8, 8}, Spread{6, 6, 6});
  CHECK(*fewer.ratio == Approx(0.75));
  CHECK(fewer.change == Change::gain);
  CHECK(compare_cells(passes, Spread{8, 8, 8}, Spread{9, 9, 9}).change == Change::loss);
  CHECK(compare_cells(passes, Spread{8, 8, 8}, Spread{8, 8, 8}).change == Change::none);
}

TEST_CASE("a time counts as changed only if all rounds agree", "[compare]") {
  const Metric ttft = metric_of("ttft_p50_ms"), rate = metric_of("output_tokens_per_s");
  CHECK(compare_cells(ttft, Spread{10, 9, 12}, Spread{14, 13, 15}).change == Change::loss);
  CHECK(compare_cells(ttft, Spread{10, 9, 13.5}, Spread{14, 13, 15}).change == Change::none);
  CHECK(compare_cells(ttft, Spread{14, 13, 15}, Spread{10, 9, 12}).change == Change::gain);
  CHECK(compare_cells(rate, Spread{10, 9, 12}, Spread{14, 13, 15}).change == Change::gain);
  CHECK(compare_cells(rate, Spread{14, 13, 15}, Spread{10, 9, 12}).change == Change::loss);
}

TEST_CASE("against nothing there is no ratio, and a cost that is new is a loss", "[compare]") {
  const Metric padded = metric_of("padded_tokens");
  const LadderCell from_absent = compare_cells(padded, std::nullopt, Spread{5, 5, 5});
  CHECK_FALSE(from_absent.ratio);
  CHECK(from_absent.change == Change::loss);
  const LadderCell from_zero = compare_cells(padded, Spread{0, 0, 0}, Spread{5, 5, 5});
  CHECK_FALSE(from_zero.ratio);
  CHECK(from_zero.change == Change::loss);
  CHECK(compare_cells(padded, std::nullopt, Spread{0, 0, 0}).change == Change::none);
  const LadderCell to_absent = compare_cells(padded, Spread{5, 5, 5}, std::nullopt);
  CHECK_FALSE(to_absent.value);
  CHECK(to_absent.change == Change::none);
}

TEST_CASE("the first stage of a ladder has no ratio, each further one that to the stage before it", "[compare]") {
  const std::vector<LadderRow> rows = ladder_of({small_runs({8}), small_runs({4}), small_runs({6})});
  REQUIRE(rows.size() == ladder_metrics().size());
  for (const LadderRow& row : rows) {
    REQUIRE(row.cells.size() == 3);
    CHECK_FALSE(row.cells[0].ratio);
    CHECK(row.cells[0].change == Change::none);
    if (row.metric.key != "duration_ms") continue;
    CHECK(*row.cells[1].ratio == Approx(0.5));
    CHECK(row.cells[1].change == Change::gain);
    CHECK(*row.cells[2].ratio == Approx(1.5));
    CHECK(row.cells[2].change == Change::loss);
  }
}

TEST_CASE("ratios are short, and a loss carries its mark", "[compare]") {
  CHECK(ratio_text({Spread{1, 1, 1}, 0.25, Change::gain}) == "x0.25");
  CHECK(ratio_text({Spread{1, 1, 1}, 1.5, Change::loss}) == "x1.50!");
  CHECK(ratio_text({Spread{1, 1, 1}, 123.4, Change::gain}) == "x123");
  CHECK(ratio_text({Spread{1, 1, 1}, std::nullopt, Change::loss}) == "!");
  CHECK(ratio_text({std::nullopt, std::nullopt, Change::none}).empty());
  CHECK(value_text(Kind::bytes, 1234567) == "1,234,567");
  CHECK(value_text(Kind::milliseconds, 1.005) == "1.00");
}

TEST_CASE("stages are chosen by number, once each and in order", "[compare][bad-input]") {
  const std::vector<StageEntry> chosen = stages_from("1,3");
  REQUIRE(chosen.size() == 2);
  CHECK(chosen[1].info.name == "batching");
  CHECK(stages_from("4").size() == 1);
  for (const char* list : {"", "0", "99", "2,2", "3,1", "1,,2", "1,", "x", "1 2"}) {
    INFO(list);
    CHECK_THROWS_AS(stages_from(list), BadInput);
  }
}
