/// @file
/// What code in the learner's process may try: each call is one attack. Linked with the labs' own runner into a program of
/// its own, so this code is exactly where a learner's would be.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "labs/support/calls.h"
#include "labs/support/pipes.h"

namespace {

using stagecraft::labs::Message;

/// Keeps the compiler from dropping what has no effect.
template <class T>
void use(T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

/// What the system said: 0, or the error's number.
int64_t error_of(long result) { return result < 0 ? errno : 0; }

}  // namespace

LAB_CALL(honest) { out.set("sum", in.integer("a") + in.integer("b")); }

LAB_CALL(exits_with_zero) { std::exit(0); }

LAB_CALL(says_passed) {
  std::puts("all checks passed\n12 passed, 0 failed, 0 skipped");
  std::_Exit(0);
}

LAB_CALL(crashes) {
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
}

LAB_CALL(throws) { throw std::runtime_error("three of four"); }

LAB_CALL(throws_a_number) { throw 7; }

LAB_CALL(loops) {
  for (int i = 0;; ++i) use(i);
}

LAB_CALL(sleeps) { ::pause(); }

LAB_CALL(closes_its_pipes) {
  for (int descriptor = 0; descriptor < 16; ++descriptor) ::close(descriptor);
  ::pause();
}

LAB_CALL(takes_all_memory) {
  constexpr size_t kPiece = size_t{16} << 20;
  for (std::vector<char*> pieces;; use(pieces)) {
    pieces.push_back(new char[kPiece]);
    std::memset(pieces.back(), 1, kPiece);
  }
}

LAB_CALL(asks_for_a_petabyte) {
  std::vector<char> memory(size_t{1} << 50);
  use(memory);
}

LAB_CALL(fork_bomb) {
  for (;;) {
    if (::fork() < 0) break;
  }
  out.set("errno", int64_t(errno));
}

LAB_CALL(kills_the_check) {
  out.set("errno", error_of(::kill(::getppid(), SIGKILL)));
  out.set("all", error_of(::kill(-1, SIGKILL)));
}

LAB_CALL(traces_the_check) { out.set("errno", error_of(::ptrace(PTRACE_ATTACH, ::getppid(), nullptr, nullptr))); }

LAB_CALL(reads_the_checks_memory) {
  const std::string path = "/proc/" + std::to_string(::getppid()) + "/mem";
  out.set("errno", error_of(::open(path.c_str(), O_RDONLY)));
}

LAB_CALL(opens_a_socket) { out.set("errno", error_of(::socket(AF_INET, SOCK_STREAM, 0))); }

LAB_CALL(writes_a_file) {
  out.set("errno", error_of(::open(in.text("path").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600)));
  std::ofstream stream(in.text("path"));
  stream << "full marks";
}

LAB_CALL(removes_a_file) {
  out.set("errno", error_of(::unlink(in.text("path").c_str())));
  out.set("renamed", error_of(::rename(in.text("path").c_str(), (in.text("path") + ".old").c_str())));
}

/// An answer of its own making, then the runner's.
LAB_CALL(forges_an_answer) {
  stagecraft::labs::send(stagecraft::labs::kAnswerPipe, Message("answer").set("sum", int64_t{42}));
  out.set("sum", int64_t{0});
}

LAB_CALL(sends_rubbish) {
  const char rubbish[] = "\xff\xff\xff\xff\xff\xff\xff\xff passed";
  if (::write(stagecraft::labs::kAnswerPipe, rubbish, sizeof rubbish) < 0) out.set("sum", int64_t{0});
}

/// The result of a check goes through a pipe: is any within reach?
LAB_CALL(looks_for_other_descriptors) {
  int64_t found = 0;
  for (int descriptor = stagecraft::labs::kAnswerPipe + 1; descriptor < 1024; ++descriptor) {
    found += ::fcntl(descriptor, F_GETFD) >= 0;
  }
  out.set("found", found);
}

LAB_CALL(floods_its_output) {
  const std::string line(1000, 'x');
  for (int i = 0; i < 2000; ++i) std::puts(line.c_str());
  out.set("sum", int64_t{5});
}

/// A file without a name, a large one, one in memory, one that it extends.
LAB_CALL(fills_the_disk) {
  const std::string path = in.text("path");
  out.set("nameless", error_of(::open(path.c_str(), O_TMPFILE | O_RDWR, 0600)));
  out.set("large", error_of(::creat((path + "/large").c_str(), 0600)));
  out.set("in memory", error_of(::syscall(SYS_memfd_create, "large", 0)));
  out.set("made longer", error_of(::truncate((path + "/tests.cpp").c_str(), off_t{1} << 40)));
}

LAB_CALL(edits_the_tests) {
  const std::string path = in.text("path");
  out.set("written", error_of(::open(path.c_str(), O_RDWR)));
  out.set("replaced", error_of(::rename(path.c_str(), (path + ".mine").c_str())));
  out.set("mode", error_of(::chmod(path.c_str(), 0666)));
  out.set("link", error_of(::symlink("/dev/null", (path + ".link").c_str())));
}

LAB_CALL(reads_a_file) { out.set("errno", error_of(::open(in.text("path").c_str(), O_RDONLY))); }

LAB_CALL(lists_a_folder) { out.set("errno", error_of(::open(in.text("path").c_str(), O_RDONLY | O_DIRECTORY))); }

/// The answer is not in the pipe before it is asked for, nor anything else.
LAB_CALL(reads_the_pipe) {
  ::fcntl(stagecraft::labs::kRequestPipe, F_SETFL, O_NONBLOCK);
  char byte;
  out.set("errno", error_of(::read(stagecraft::labs::kRequestPipe, &byte, 1)));
  ::fcntl(stagecraft::labs::kRequestPipe, F_SETFL, 0);
}

LAB_CALL(catches_all_signals) {
  for (int number = 1; number < NSIG; ++number) ::signal(number, [](int) {});
  for (int i = 0;; ++i) use(i);
}

LAB_CALL(starts_threads) {
  for (;;) std::thread([] { ::pause(); }).detach();
}

LAB_CALL(works_in_a_thread) {
  int64_t sum = 0;
  std::thread([&] { sum = 2 + 3; }).join();
  out.set("sum", sum);
}

LAB_CALL(becomes_another_program) {
  ::execl("/bin/true", "true", static_cast<char*>(nullptr));
  out.set("errno", int64_t(errno));
}
