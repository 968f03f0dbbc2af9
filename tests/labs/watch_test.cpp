/// lab watch: a learner saves, and the checks run again.
#include <chrono>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/catch.h"
#include "tests/labs/lab_runs.h"

namespace {

using namespace stagecraft;
using testing::has;
using testing::Learner;

constexpr std::chrono::seconds kPatience{120};  // of a busy machine
constexpr const char* kRight =
    "const int i = int(blockIdx.x * blockDim.x + threadIdx.x); if (i < n) sum[i] = a[i] + b[i];";
constexpr const char* kWrong = "const int i = int(threadIdx.x); if (i < n) sum[i] = a[i] + b[i];";
constexpr const char* kPassed = "3 passed, 0 failed, 0 skipped";
constexpr const char* kAgain = "watching; save a file to test again";

/// `lab watch lab00.t1` in the background.
class Watching {
 public:
  explicit Watching(const Learner& learner) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    const std::string work = "LAB_WORK=" + learner.work().string();
    process_ = ::fork();
    if (process_ == 0) {
      ::setpgid(0, 0);  // so that Ctrl-C, which goes to all processes of a group, spares the test
      ::dup2(ends[1], STDOUT_FILENO);
      ::dup2(ends[1], STDERR_FILENO);
      ::execl("/usr/bin/env", "env", "LAB_NO_BUILD=1", work.c_str(), STAGECRAFT_BINARY_DIR "/bin/lab", "watch",
              "lab00.t1", static_cast<char*>(nullptr));
      ::_exit(1);
    }
    ::close(ends[1]);
    output_ = ends[0];
  }
  ~Watching() {
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
    ::close(output_);
  }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;

  /// Waits until `text` has been printed since the last call that saw something. False if it never comes.
  bool sees(const std::string& text, std::chrono::milliseconds patience = kPatience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < end) {
      const size_t at = printed_.find(text);
      if (at != std::string::npos) {
        printed_.erase(0, at + text.size());
        return true;
      }
      pollfd ready{output_, POLLIN, 0};
      if (::poll(&ready, 1, 100) != 1) continue;
      char buffer[4096];
      const ssize_t got = ::read(output_, buffer, sizeof buffer);
      if (got <= 0) return false;
      printed_.append(buffer, size_t(got));
    }
    return false;
  }

  /// Ctrl-C. Returns the signal that ended it, 0 for an exit.
  int interrupt() {
    ::kill(-process_, SIGINT);
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = 0;
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }

 private:
  pid_t process_ = 0;
  int output_ = -1;
  std::string printed_;
};

std::string with_body(const std::string& skeleton, const std::string& body) {
  std::string text = skeleton;
  const std::string todo = "  LAB_TODO(\"lab00.t1\");\n";
  return text.replace(text.find(todo), todo.size(), body + "\n");
}

void save(const std::filesystem::path& file, const std::string& text) { std::ofstream(file) << text; }

}  // namespace

TEST_CASE("watch: every way to save is seen, bursts once, errors do not end it, Ctrl-C does") {
  const Learner learner;
  REQUIRE(learner.lab({"start", "0"}).exit_code == 0);
  const auto file = learner.file("lab00", "vector_add.cu");
  const std::string skeleton = labs::read_file(file);
  Watching watching(learner);
  REQUIRE(watching.sees("0 passed, 0 failed, 3 skipped"));
  REQUIRE(watching.sees(kAgain));

  SECTION("written in place") {
    save(file, with_body(skeleton, kRight));
    REQUIRE(watching.sees(kPassed));
    REQUIRE(watching.sees(kAgain));
  }
  SECTION("another file put in its place, with an older time") {
    const auto draft = learner.work() / "vector_add.cu~";
    save(draft, with_body(skeleton, kRight));
    std::filesystem::last_write_time(draft, std::filesystem::last_write_time(file) - std::chrono::hours(1));
    std::filesystem::rename(draft, file);
    REQUIRE(watching.sees(kPassed));
  }
  SECTION("a burst of saves, and a file that is away for a moment, are one change") {
    for (int i = 0; i < 5; ++i) {
      save(file, with_body(skeleton, i % 2 == 0 ? kWrong : kRight));
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    std::filesystem::remove(file);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    save(file, with_body(skeleton, kRight));
    REQUIRE(watching.sees(kPassed));
    REQUIRE(watching.sees(kAgain));
    REQUIRE_FALSE(watching.sees("passed", std::chrono::milliseconds(1500)));
  }
  SECTION("a compiler's error is told, and the next save is tested") {
    save(file, with_body(skeleton, "int i = threadIdx.;"));
    REQUIRE(watching.sees("vector_add.cu:19"));
    REQUIRE(watching.sees("does not compile"));
    REQUIRE(watching.sees(kAgain));
    save(file, with_body(skeleton, kRight));
    REQUIRE(watching.sees(kPassed));
  }
  SECTION("Ctrl-C in the middle of a check ends it, and leaves results that can be read") {
    save(file, with_body(skeleton, "for (volatile int i = 0;;) i = i + 1;"));
    REQUIRE(watching.sees("seed 1"));
    REQUIRE(watching.interrupt() == SIGINT);
    save(file, with_body(skeleton, kRight));
    REQUIRE(has(learner.lab({"test", "lab00.t1"}).output, kPassed));
  }
}
