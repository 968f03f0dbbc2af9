/// @file
/// Exit codes, and the flag that Ctrl-C sets.
#include "stages/core/program.h"

#include <csignal>
#include <new>

#include "kernels/check.h"
#include "stages/core/interrupt.h"
#include "tests/catch.h"

using namespace stagecraft;

TEST_CASE("each kind of error has its exit code", "[program]") {
  const auto code_of = [](const std::function<int()>& body) { return run_program("test", body); };
  CHECK(code_of([] { return kExitDone; }) == 0);
  CHECK(code_of([]() -> int { throw Failure("expected in this test"); }) == 1);
  CHECK(code_of([]() -> int { throw std::bad_alloc(); }) == 1);
  CHECK(code_of([]() -> int { throw std::logic_error("expected in this test"); }) == 1);
  CHECK(code_of([]() -> int { throw BadInput("expected in this test", "a hint"); }) == 2);
  CHECK(code_of([]() -> int { throw Interrupted{}; }) == 130);
}

TEST_CASE("while it is watched, a signal sets a flag, once for each watch", "[program]") {
  {
    const InterruptWatch watch;
    CHECK_FALSE(watch.requested());
    std::raise(SIGINT);
    CHECK(watch.requested());
  }
  const InterruptWatch next;
  CHECK_FALSE(next.requested());
  std::raise(SIGTERM);
  CHECK(next.requested());
}

TEST_CASE("a second signal kills, and without a watch signals do what they did before", "[program]") {
  const auto handler_of = [](int signal) {
    struct sigaction now;
    sigaction(signal, nullptr, &now);
    return now.sa_handler;
  };
  const auto before = handler_of(SIGTERM);
  {
    const InterruptWatch watch;
    CHECK(handler_of(SIGTERM) != before);
    std::raise(SIGINT);
    CHECK(handler_of(SIGINT) == SIG_DFL);
  }
  CHECK(handler_of(SIGTERM) == before);
}
