#include <fmt/format.h>

#include "kernels/simulator/report.h"
#include "kernels/simulator/runtime/simulator.h"

namespace simt {
namespace {

std::string index_text(Index3 index) { return fmt::format("({},{},{})", index.x, index.y, index.z); }

std::string actor_text(const Actor& actor) {
  if (actor.action.empty()) return "";  // no single thread did it
  std::string text =
      fmt::format("  block {} thread {} {}", index_text(actor.block), index_text(actor.thread), actor.action);
  if (!actor.file.empty()) text += fmt::format("  at {}:{}", actor.file, actor.line);
  return text + "\n";
}

}  // namespace

const char* name_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::shared_race:
      return "race in shared memory";
    case FindingKind::global_race:
      return "race in global memory";
    case FindingKind::out_of_bounds:
      return "out of bounds";
    case FindingKind::use_after_free:
      return "use after free";
    case FindingKind::misaligned:
      return "misaligned access";
    case FindingKind::host_pointer:
      return "not a device address";
    case FindingKind::uninitialised_shared:
      return "uninitialised shared memory";
    case FindingKind::uninitialised_global:
      return "uninitialised global memory";
    case FindingKind::unwritten_output:
      return "output not fully written";
    case FindingKind::divergent_barrier:
      return "divergent barrier";
    case FindingKind::warp_mismatch:
      return "lanes of a warp disagree";
    case FindingKind::absent_lane:
      return "shuffle from an absent lane";
    case FindingKind::deadlock:
      return "deadlock";
    case FindingKind::endless_loop:
      return "endless loop";
    case FindingKind::stack_overflow:
      return "stack overflow";
    case FindingKind::crash:
      return "bad address";
    case FindingKind::exception:
      return "exception";
    case FindingKind::no_hooks:
      return "nothing was checked";
    case FindingKind::bad_launch:
      return "launch refused";
  }
  return "finding";
}

std::vector<Finding> findings() { return runtime::simulator().findings.resolved(); }

void clear_findings() { runtime::simulator().findings.clear(); }

std::string describe(const Finding& finding) {
  std::string text = fmt::format("{} in {}: {}\n", name_of(finding.kind), finding.kernel, finding.text);
  text += actor_text(finding.actor);
  if (finding.other) text += actor_text(*finding.other);
  if (finding.count > 1) text += fmt::format("  seen {} times\n", finding.count);
  if (!finding.hint.empty()) text += fmt::format("  hint: {}\n", finding.hint);
  return text;
}

std::string findings_text(const std::vector<Finding>& findings) {
  if (findings.empty()) return "no findings\n";
  std::string text = fmt::format("{} {}\n", findings.size(), findings.size() == 1 ? "finding" : "findings");
  for (size_t i = 0; i < findings.size(); ++i) text += fmt::format("\n{}. {}", i + 1, describe(findings[i]));
  return text;
}

}  // namespace simt
