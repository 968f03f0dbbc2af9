/// @file
/// Continuous over static on the conversation trace: the engines on a virtual clock take the steps of the simulation.
#include "stages/compare/trace_slice.h"
#include "tests/catch.h"

using namespace stagecraft;

TEST_CASE("the conversation slices have the trace's lengths, divided, all at the start", "[compare][slice]") {
  const std::vector<Workload> slices = conversation_slices();
  REQUIRE(slices.size() == 2);
  for (const Workload& slice : slices) {
    REQUIRE(slice.requests.size() == size_t(kSliceRequests));
    for (const WorkloadRequest& request : slice.requests) CHECK(request.arrival_ns == 0);
    CHECK(slice.requests[0].output_tokens == 6);   // 44 / 8, rounded up
    CHECK(slice.requests[1].output_tokens == 14);  // 109 / 8
  }
  for (const WorkloadRequest& request : slices[0].requests) CHECK(request.prompt_tokens == 1);
  CHECK(slices[1].requests[0].prompt_tokens == 47);  // 374 / 8
  CHECK(slices[1].requests[3].prompt_tokens == 12);  // 91 / 8
}

TEST_CASE("on a virtual clock of constant steps the engines reach the simulation's ratio exactly",
          "[compare][slice][virtual]") {
  Workload slice = conversation_slices().front();
  slice.requests.resize(16);
  const InterruptWatch interrupt;
  Options options;
  options.model = STAGECRAFT_SOURCE_DIR "/models/tales-400k";
  options.device = "cpu";
  const Session session = open_session(options, {.workload = slice}, interrupt);
  const TraceSlice result = compare_on_slice(slice, 4, 1, std::nullopt, options, session, interrupt);
  REQUIRE(result.rows.size() == 3);
  CHECK(result.rows[0].ratio() > 1.2);
  CHECK(result.rows[1].static_ms == Approx(result.rows[0].static_ms));
  CHECK(result.rows[1].continuous_ms == Approx(result.rows[0].continuous_ms));
  CHECK(result.share(result.rows[1]) == Approx(1));
  CHECK(result.rows[2].clock == "wall");
  CHECK(result.rows[2].spread_percent);
}
