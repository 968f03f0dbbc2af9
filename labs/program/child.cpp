#include "labs/program/child.h"

#include <cerrno>
#include <chrono>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/check.h"

namespace stagecraft::labs {
namespace {

using Clock = std::chrono::steady_clock;

/// A pipe that children do not inherit unless they are told to.
class ReadablePipe {
 public:
  ReadablePipe() {
    if (::pipe2(ends_, O_CLOEXEC) != 0) throw Failure(fmt::format("no pipe: {}", std::strerror(errno)));
  }
  ~ReadablePipe() {
    close_write_end();
    ::close(ends_[0]);
  }
  ReadablePipe(const ReadablePipe&) = delete;
  ReadablePipe& operator=(const ReadablePipe&) = delete;

  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_write_end() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  /// Appends what is there. Returns false at the end.
  bool read(std::string& to) const {
    char buffer[1 << 16];
    const ssize_t got = ::read(ends_[0], buffer, sizeof buffer);
    if (got > 0) to.append(buffer, size_t(got));
    return got > 0 || (got < 0 && errno == EINTR);
  }

 private:
  int ends_[2];
};

constexpr int kNoSuchProgram = 127;

[[noreturn]] void become(std::vector<std::string>& command, const ReadablePipe& output, const ReadablePipe& result) {
  (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::dup2(output.write_end(), STDOUT_FILENO);
  ::dup2(output.write_end(), STDERR_FILENO);
  (void)::fcntl(result.write_end(), F_SETFD, 0);
  std::vector<char*> arguments;
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  ::_exit(kNoSuchProgram);
}

int exit_code_of(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr int kSignalled = 128;
  return WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& command, const ChildOptions& options) {
  ReadablePipe output, result;
  std::vector<std::string> arguments = command;
  if (!options.result_option.empty()) {
    arguments.push_back(options.result_option);
    arguments.push_back(std::to_string(result.write_end()));
  }
  const pid_t process = ::fork();
  if (process < 0) throw Failure(fmt::format("cannot start {}: {}", command[0], std::strerror(errno)));
  if (process == 0) become(arguments, output, result);
  output.close_write_end();
  result.close_write_end();

  ChildResult child;
  const Clock::time_point start = Clock::now();
  bool output_open = true, result_open = true, killed = false;
  while (output_open || result_open) {
    pollfd ready[] = {{output_open ? output.read_end() : -1, POLLIN, 0},
                      {result_open ? result.read_end() : -1, POLLIN, 0}};
    constexpr int kMilliseconds = 50;
    (void)::poll(ready, 2, kMilliseconds);
    if (ready[0].revents) output_open = output.read(child.output);
    if (ready[1].revents) result_open = result.read(child.result);
    if (options.seconds > 0 && !killed &&
        std::chrono::duration<double>(Clock::now() - start).count() > options.seconds) {
      ::kill(process, SIGKILL);
      killed = true;
      break;
    }
  }
  child.exit_code = exit_code_of(process);
  if (killed) child.exit_code = kTimedOut;
  return child;
}

}  // namespace stagecraft::labs
