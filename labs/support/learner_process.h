#pragma once
/// @file
/// The check's side: starts the learner's process behind its fence, sends calls, waits for answers, and keeps watch over
/// time and memory. Whatever that process does, this one gets an answer or an Ended.
#include <chrono>
#include <string>
#include <vector>

#include <sys/types.h>

#include "labs/support/fence.h"
#include "labs/support/message.h"

namespace stagecraft::labs {

/// Why no answer came.
struct Ended {
  enum class Kind { todo, crash, timeout, exception, broken_answer };
  Kind kind;
  std::string text;  // for people; for todo: the task
};

class LearnerProcess {
 public:
  /// Starts `program`. Throws std::runtime_error if the machine cannot.
  LearnerProcess(const std::string& program, const Limits& limits);
  ~LearnerProcess();
  LearnerProcess(const LearnerProcess&) = delete;
  LearnerProcess& operator=(const LearnerProcess&) = delete;

  /// Runs one call there. Throws Ended if no answer comes; the process is then dead.
  Message call(Message request);

  /// The end of what it has printed.
  const std::string& printed() const { return printed_; }

 private:
  using Clock = std::chrono::steady_clock;

  Message next_message();
  void read_answer_bytes(size_t wanted);
  void watch();
  void drain_output();
  void answer_lines(const Message& question);
  [[noreturn]] void ended(Ended::Kind kind, const std::string& text);
  [[noreturn]] void ended_by_itself();
  void kill();

  std::string program_;
  Limits limits_;
  Clock::time_point deadline_;
  pid_t process_ = 0;
  int requests_ = -1, answers_ = -1, output_ = -1;
  std::string received_;
  std::string printed_;
};

}  // namespace stagecraft::labs
