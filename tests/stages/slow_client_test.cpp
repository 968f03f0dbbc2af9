/// @file
/// Clients read as slowly as they like: the engine does not wait for them, nor does another client.
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "stages/4_continuous_batching/engine.h"
#include "stages/core/client_buffers.h"
#include "stages/core/printing_client.h"
#include "tests/catch.h"
#include "tests/stages/mixed_requests.h"
#include "tests/stages/test_model.h"

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

std::string read_to_the_end(ClientBuffers& buffers, int request) {
  std::string all;
  for (std::string piece = buffers.read(request); !piece.empty(); piece = buffers.read(request)) all += piece;
  return all;
}

}  // namespace

TEST_CASE("a client that does not read stalls neither the engine nor the others", "[stages][client]") {
  TestModel& on = tales_400k();
  const std::vector<Job> jobs = {simple_job(0, 5, 60, on.config()), simple_job(1, 9, 40, on.config())};
  ClientBuffers buffers(jobs.size());
  RunLog log;
  std::thread engine_thread([&] {
    ContinuousEngine engine({.scheduler = {.max_running = 2}, .token_budget = 8});
    RunOptions options;
    options.sink = &buffers;
    log = run_engine(engine, on, jobs, options);
  });
  const std::string second = read_to_the_end(buffers, 1);  // client 0 has not read a thing
  engine_thread.join();                                    // and still the engine comes to its end
  CHECK(second == log.requests[1].text);
  CHECK(read_to_the_end(buffers, 0) == log.requests[0].text);
  CHECK(log.requests[0].text.size() > 60);
}

TEST_CASE("a reader waits for text that is still to come, and is let go at the end", "[stages][client]") {
  ClientBuffers buffers(2);
  std::string got;
  std::thread client([&] { got = read_to_the_end(buffers, 1); });
  buffers.text(0, "not for this client");
  buffers.text(1, "one ");
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  buffers.text(1, "two");
  buffers.finished(1);
  client.join();
  CHECK(got == "one two");
}

TEST_CASE("a printer whose reader has gone says so, and never waits again", "[stages][client]") {
  std::FILE* full = std::fopen("/dev/full", "w");
  REQUIRE(full);
  {
    ClientBuffers buffers(2);
    TextPrinter printer(full, 1);
    PrintingClient client(buffers, printer, 1);
    buffers.text(0, "nobody will read this");
    for (int tries = 0; tries < 2000 && !client.gone(); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(client.gone());
    CHECK_THROWS_AS(client.wait(), Failure);
  }
  std::fclose(full);
}

TEST_CASE("an engine that fails leaves no printer waiting", "[stages][client]") {
  std::FILE* nowhere = std::fopen("/dev/null", "w");
  REQUIRE(nowhere);
  ClientBuffers buffers(1);
  TextPrinter printer(nowhere, 1);
  { PrintingClient client(buffers, printer, 1); }  // its text never ends; the destructor must come back
  std::fclose(nowhere);
}
