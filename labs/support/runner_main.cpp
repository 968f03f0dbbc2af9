/// @file
/// The learner's process: answers calls until the check has no more. It judges nothing. With every answer go the
/// simulator's findings and counts of that call.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <stdexcept>

#include "kernels/simulator/config.h"
#include "kernels/simulator/findings.h"
#include "kernels/simulator/profile.h"
#include "labs/support/calls.h"
#include "labs/support/line_client.h"
#include "labs/support/pipes.h"
#include "labs/support/todo.h"

namespace stagecraft::labs {
namespace {

struct NotWritten {};

/// Kept apart from the exception: a kernel's exceptions become findings of the simulator.
std::string& unwritten_task() {
  static std::string task;
  return task;
}

std::map<std::string, Call>& calls() {
  static std::map<std::string, Call> all;
  return all;
}

std::string key_of(simt::MemoryOperation operation) {
  std::string key = simt::name_of(operation);  // "global load"
  key[key.find(' ')] = '_';
  return key;
}

/// All launches of the call together.
void add_counts(const std::vector<simt::KernelProfile>& kernels, Message& answer) {
  simt::KernelProfile sum;
  for (const simt::KernelProfile& kernel : kernels) {
    sum.launches += kernel.launches;
    sum.blocks += kernel.blocks;
    sum.threads += kernel.threads;
    sum.barriers += kernel.barriers;
    sum.shuffles += kernel.shuffles;
    for (int i = 0; i < simt::kMemoryOperations; ++i) sum.memory[i] += kernel.memory[i];
  }
  answer.set("launches", int64_t(sum.launches));
  answer.set("blocks", int64_t(sum.blocks));
  answer.set("threads", int64_t(sum.threads));
  answer.set("barriers", int64_t(sum.barriers));
  answer.set("shuffles", int64_t(sum.shuffles));
  for (int i = 0; i < simt::kMemoryOperations; ++i) {
    const std::string key = key_of(simt::MemoryOperation(i));
    answer.set(key + ".requests", int64_t(sum.memory[i].requests));
    answer.set(key + ".bytes", int64_t(sum.memory[i].bytes));
    answer.set(key + ".moved", int64_t(sum.memory[i].moved));
    answer.set(key + ".ideal", int64_t(sum.memory[i].ideal));
  }
}

/// The one that tells most: a bad address is the cause of much that is found beside it.
const simt::Finding& most_telling(const std::vector<simt::Finding>& findings) {
  const auto bad_address = std::find_if(findings.begin(), findings.end(), [](const simt::Finding& finding) {
    return finding.kind == simt::FindingKind::out_of_bounds;
  });
  return bad_address == findings.end() ? findings.front() : *bad_address;
}

void add_findings(Message& answer) {
  const std::vector<simt::Finding> findings = simt::findings();
  answer.set("findings", int64_t(findings.size()));
  if (!findings.empty()) answer.set("finding", simt::describe(most_telling(findings)));
}

void add_profile(const Message& request, Message& answer) {
  const bool wanted = request.has_text("profile");
  ask_for_lines(wanted);
  const std::vector<simt::KernelProfile> kernels = simt::profile();
  ask_for_lines(true);
  add_counts(kernels, answer);
  if (wanted) answer.set("profile", simt::profile_table(kernels));
}

Message answer_to(const Message& request) {
  const auto call = calls().find(request.name());
  if (call == calls().end()) throw std::logic_error("the runner has no call '" + request.name() + "'");
  simt::clear_findings();
  simt::clear_profile();
  unwritten_task().clear();
  simt::config().seed = uint64_t(request.integer("schedule"));
  simt::config().require_checked = true;

  Message answer("answer");
  try {
    call->second(request, answer);
  } catch (const NotWritten&) {
  } catch (const std::exception& error) {
    if (unwritten_task().empty()) return Message("exception").set("what", std::string(error.what()));
  }
  if (!unwritten_task().empty()) return Message("todo").set("task", unwritten_task());
  add_findings(answer);
  add_profile(request, answer);
  return answer;
}

}  // namespace

RegisterCall::RegisterCall(const char* name, Call call) { calls()[name] = call; }

void not_written_yet(const char* task) {
  unwritten_task() = task;
  throw NotWritten{};
}

}  // namespace stagecraft::labs

int main() {
  using namespace stagecraft::labs;
  // What the learner prints must be out before a crash.
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  for (;;) {
    const Message request = receive(kRequestPipe);
    if (request.name() == kNoMoreCalls) return 0;
    if (!send(kAnswerPipe, answer_to(request).set(kToken, request.integer(kToken)))) return 1;
  }
}
