/// @file
/// From exceptions to messages and exit codes.
#include "stages/core/program.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include <fmt/format.h>

#include "kernels/check.h"
#include "stages/core/interrupt.h"

namespace stagecraft {
namespace {

int report(std::string_view program, const Error& error, int exit_code) {
  fmt::print(stderr, "{}: error: {}\n", program, error.what());
  if (!error.hint().empty()) fmt::print(stderr, "hint: {}\n", error.hint());
  return exit_code;
}

}  // namespace

int run_program(std::string_view program, const std::function<int()>& body) {
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return body();
  } catch (const BadInput& error) {
    return report(program, error, kExitBadInput);
  } catch (const Failure& error) {
    return report(program, error, kExitFailed);
  } catch (const Interrupted&) {
    return kExitInterrupted;
  } catch (const std::bad_alloc&) {
    return report(program, Failure("out of memory", "use a smaller model, or fewer and shorter requests"), kExitFailed);
  } catch (const std::exception& error) {
    return report(program, Failure(error.what(), "this is a bug of the program: please report it"), kExitFailed);
  }
}

}  // namespace stagecraft
