#include "labs/support/learner_process.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <stdexcept>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/simulator/runtime/addr2line.h"
#include "labs/support/pipes.h"

namespace stagecraft::labs {
namespace {

constexpr int kFirstFreeDescriptor = 32;  // pipes are moved above the numbers that the child uses
constexpr size_t kMostPrinted = 2000;
constexpr int kPollMilliseconds = 10;
constexpr int kExecFailed = 126;

struct Pipe {
  int read_end, write_end;
};

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe: " + std::string(std::strerror(errno)));
  Pipe pipe{::fcntl(ends[0], F_DUPFD_CLOEXEC, kFirstFreeDescriptor),
            ::fcntl(ends[1], F_DUPFD_CLOEXEC, kFirstFreeDescriptor)};
  ::close(ends[0]);
  ::close(ends[1]);
  return pipe;
}

/// So that an answer written before the question came is none.
int64_t new_token() {
  std::random_device entropy;
  return int64_t(uint64_t(entropy()) << 32 | entropy());
}

/// What a process takes of the machine; zeros if it is gone.
struct Use {
  long threads = 0;
  int64_t resident_bytes = 0;
};

Use use_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const size_t name_ends = text.rfind(')');  // a name may hold anything
  if (name_ends == std::string::npos) return {};
  std::istringstream words(text.substr(name_ends + 1));
  const std::vector<std::string> fields(std::istream_iterator<std::string>(words), {});
  constexpr size_t kThreads = 17, kPages = 21;  // fields 20 and 24 of proc(5), counted from the third
  if (fields.size() <= kPages) return {};
  return {std::atol(fields[kThreads].c_str()), std::atol(fields[kPages].c_str()) * ::sysconf(_SC_PAGESIZE)};
}

/// In the child: never returns.
[[noreturn]] void become(const char* program, const Limits& limits, Pipe requests, Pipe answers, Pipe output) {
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output.write_end, STDOUT_FILENO);
  ::dup2(output.write_end, STDERR_FILENO);
  ::dup2(requests.read_end, kRequestPipe);
  ::dup2(answers.write_end, kAnswerPipe);
  constexpr int kMostDescriptors = 1024;
  for (int descriptor = kAnswerPipe + 1; descriptor < kMostDescriptors; ++descriptor) ::close(descriptor);
  (void)enter_fence(program, limits);
  char* const arguments[] = {const_cast<char*>(program), nullptr};
  char plain_language[] = "LC_ALL=C";
  char sanitizer[] = "UBSAN_OPTIONS=print_stacktrace=0";
  char* const environment[] = {plain_language, sanitizer, nullptr};
  ::execve(program, arguments, environment);
  ::_exit(kExecFailed);
}

}  // namespace

LearnerProcess::LearnerProcess(const std::string& program, const Limits& limits)
    : program_(program),
      limits_(limits),
      deadline_(Clock::now() +
                std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds))) {
  const Pipe requests = make_pipe(), answers = make_pipe(), output = make_pipe();
  process_ = ::fork();
  if (process_ < 0) throw std::runtime_error("no process: " + std::string(std::strerror(errno)));
  if (process_ == 0) become(program_.c_str(), limits_, requests, answers, output);
  ::close(requests.read_end);
  ::close(answers.write_end);
  ::close(output.write_end);
  requests_ = requests.write_end;
  answers_ = answers.read_end;
  output_ = output.read_end;
  (void)::fcntl(answers_, F_SETFL, O_NONBLOCK);
  (void)::fcntl(output_, F_SETFL, O_NONBLOCK);
  (void)::signal(SIGPIPE, SIG_IGN);
}

LearnerProcess::~LearnerProcess() {
  kill();
  for (const int descriptor : {requests_, answers_, output_}) ::close(descriptor);
}

void LearnerProcess::kill() {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
  process_ = 0;
}

Message LearnerProcess::call(Message request) {
  const int64_t token = new_token();
  if (!send(requests_, request.set(kToken, token))) ended_by_itself();
  Message answer = next_message();
  while (answer.name() == kWhichLines) {
    answer_lines(answer);
    answer = next_message();
  }
  if (!answer.has_integers(kToken) || answer.integer(kToken) != token) {
    ended(Ended::Kind::broken_answer, "an answer came that was not asked for");
  }
  if (answer.name() == "todo") throw Ended{Ended::Kind::todo, answer.text("task")};
  if (answer.name() == "exception") {
    throw Ended{Ended::Kind::exception, "it threw an exception: " + answer.text("what")};
  }
  if (answer.name() != "answer") ended(Ended::Kind::broken_answer, "its answer cannot be read");
  return answer;
}

Message LearnerProcess::next_message() {
  uint64_t length = 0;
  read_answer_bytes(sizeof length);
  std::memcpy(&length, received_.data(), sizeof length);
  if (length > kMostMessageBytes) ended(Ended::Kind::broken_answer, "its answer cannot be read");
  read_answer_bytes(sizeof length + length);
  const std::string bytes = received_.substr(sizeof length, length);
  received_.erase(0, sizeof length + length);
  try {
    return Message::decode(bytes);
  } catch (const std::runtime_error& error) {
    ended(Ended::Kind::broken_answer, fmt::format("its answer cannot be read: {}", error.what()));
  }
}

void LearnerProcess::read_answer_bytes(size_t wanted) {
  char buffer[1 << 16];
  while (received_.size() < wanted) {
    pollfd ready[] = {{answers_, POLLIN, 0}, {output_, POLLIN, 0}};
    (void)::poll(ready, 2, kPollMilliseconds);
    drain_output();
    const ssize_t got = ::read(answers_, buffer, sizeof buffer);
    if (got > 0) received_.append(buffer, size_t(got));
    if (got == 0) ended_by_itself();
    watch();
  }
}

void LearnerProcess::watch() {
  if (Clock::now() > deadline_) {
    ended(Ended::Kind::timeout, fmt::format("no answer after {:g} seconds", limits_.seconds));
  }
  const Use use = use_of(process_);
  if (use.resident_bytes > int64_t(limits_.memory_mb) << 20) {
    ended(Ended::Kind::crash, fmt::format("it took more than {} MB of memory", limits_.memory_mb));
  }
  if (use.threads > limits_.threads) {
    ended(Ended::Kind::crash, fmt::format("it started more than {} threads", limits_.threads));
  }
}

void LearnerProcess::drain_output() {
  char buffer[4096];
  const ssize_t got = ::read(output_, buffer, sizeof buffer);  // once: a flood must not keep us here
  if (got <= 0) return;
  printed_.append(buffer, size_t(got));
  if (printed_.size() > kMostPrinted) printed_.erase(0, printed_.size() - kMostPrinted);
}

void LearnerProcess::answer_lines(const Message& question) {
  const std::vector<int64_t>& asked = question.integers("addresses");
  const auto lines = simt::runtime::addr2line(program_, {asked.begin(), asked.end()});
  Message answer("lines");
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < asked.size(); ++i) {
    const simt::runtime::SourceLine& line = lines.at(uintptr_t(asked[i]));
    answer.set("file " + std::to_string(i), line.file);
    numbers.push_back(line.line);
  }
  if (!send(requests_, answer.set("lines", numbers))) ended_by_itself();
}

void LearnerProcess::ended(Ended::Kind kind, const std::string& text) {
  kill();
  throw Ended{kind, text};
}

void LearnerProcess::ended_by_itself() {
  drain_output();
  int status = 0;
  ::kill(process_, SIGKILL);  // it may have closed its pipes and run on; one that has ended keeps its own status
  ::waitpid(process_, &status, 0);
  process_ = 0;
  if (WIFEXITED(status)) {
    throw Ended{Ended::Kind::crash,
                fmt::format("the program ended itself with exit code {} before it answered", WEXITSTATUS(status))};
  }
  if (WTERMSIG(status) == SIGXCPU)
    throw Ended{Ended::Kind::timeout, fmt::format("more than {:g} seconds of CPU time", limits_.seconds)};
  throw Ended{Ended::Kind::crash,
              fmt::format("the program was ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)))};
}

}  // namespace stagecraft::labs
