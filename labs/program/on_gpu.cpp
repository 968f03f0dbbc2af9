#include "labs/program/on_gpu.h"

#include <fmt/format.h>

namespace stagecraft::labs {
namespace {

std::string why_not() {
  return std::filesystem::exists("/dev/nvidia0") ? "the labs check kernels in the simulator only"
                                                 : "no GPU on this machine";
}

}  // namespace

bool has_gpu_column(const TaskInfo& task) { return task.kind == "kernel"; }

CheckResult on_gpu(const TaskInfo& task) {
  CheckResult result;
  result.id = task.id + ".gpu";
  result.outcome = Outcome::not_run;
  result.got = why_not();
  return result;
}

std::string gpu_line(const LabInfo& lab) {
  int tasks = 0, passed = 0;
  for (const TaskInfo& task : lab.tasks) {
    if (!has_gpu_column(task)) continue;
    ++tasks;
    passed += on_gpu(task).outcome == Outcome::pass;
  }
  if (tasks == 0) return "";
  return fmt::format("on a GPU: {} of {} kernel tasks passed, {} not run ({}); it costs no points", passed, tasks,
                     tasks - passed, why_not());
}

}  // namespace stagecraft::labs
