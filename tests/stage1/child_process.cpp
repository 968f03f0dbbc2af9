#include "tests/stage1/child_process.h"

#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/check.h"

namespace stagecraft::testing {
namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// In the child: `descriptor` becomes the file `path`.
void redirect(int descriptor, const std::filesystem::path& path, int flags) {
  constexpr mode_t kOwnerMayUse = 0600;
  const int file = ::open(path.c_str(), flags, kOwnerMayUse);
  if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(99);
}

}  // namespace

ChildProcess::ChildProcess(const std::string& program, const std::vector<std::string>& arguments,
                           const std::string& input) {
  write_file(folder_.path() / "input", input);
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const std::filesystem::path in = folder_.path() / "input", out = folder_.path() / "output",
                              err = folder_.path() / "errors";
  pid_ = ::fork();
  check(pid_ >= 0, "a process can be made");
  if (pid_ > 0) return;
  redirect(STDIN_FILENO, in, O_RDONLY);
  redirect(STDOUT_FILENO, out, O_WRONLY | O_CREAT);
  redirect(STDERR_FILENO, err, O_WRONLY | O_CREAT);
  ::execv(program.c_str(), argv.data());
  ::_exit(98);
}

ChildProcess::~ChildProcess() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

std::string ChildProcess::output_so_far() const { return content_of(folder_.path() / "output"); }

void ChildProcess::send(int signal) const { ::kill(pid_, signal); }

ProgramResult ChildProcess::wait() {
  int status = 0;
  check(::waitpid(pid_, &status, 0) == pid_, "the program was started");
  pid_ = 0;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, output_so_far(), content_of(folder_.path() / "errors")};
}

std::string stage1_program() { return STAGECRAFT_BINARY_DIR "/bin/stage1_naive"; }

ProgramResult stage1(const std::vector<std::string>& arguments, const std::string& input) {
  return ChildProcess(stage1_program(), arguments, input).wait();
}

}  // namespace stagecraft::testing
