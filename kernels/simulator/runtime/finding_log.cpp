#include "kernels/simulator/runtime/finding_log.h"

#include <fmt/format.h>

#include "kernels/simulator/runtime/simulator.h"
#include "kernels/simulator/runtime/source_lines.h"
#include "kernels/simulator/runtime/worker.h"

namespace simt::runtime {
namespace {

constexpr uintptr_t address_of(const RawActor& actor) { return actor.place.address; }

Actor resolve(const RawActor& raw, const SourceLines& lines) {
  Actor actor{raw.block, raw.thread, "", 0, raw.action};
  if (raw.place.address != 0) {
    const SourceLine& line = lines.at(raw.place.address);
    actor.file = line.file;
    actor.line = line.line;
  } else if (raw.place.site.file) {
    actor.file = raw.place.site.file;
    actor.line = raw.place.site.line;
  }
  return actor;
}

Index3 index3(uint3 index) { return {index.x, index.y, index.z}; }

}  // namespace

bool FindingLog::repeated(FindingKind kind, const void* kernel, const CodePlace& place, const CodePlace& other) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = index_.try_emplace(Key{kind, kernel, place.key(), other.key()}, found_.size());
  if (is_new) return false;
  if (known->second < found_.size()) ++found_[known->second].count;
  return true;
}

void FindingLog::add(RawFinding finding) {
  const std::lock_guard lock(mutex_);
  const CodePlace other = finding.other ? finding.other->place : CodePlace{};
  index_[Key{finding.kind, finding.kernel, finding.actor.place.key(), other.key()}] = found_.size();
  found_.push_back(std::move(finding));
}

std::vector<Finding> FindingLog::resolved() const {
  const std::lock_guard lock(mutex_);
  std::vector<uintptr_t> addresses;
  for (const RawFinding& raw : found_) {
    if (address_of(raw.actor) != 0) addresses.push_back(address_of(raw.actor));
    if (raw.other && address_of(*raw.other) != 0) addresses.push_back(address_of(*raw.other));
  }
  const SourceLines lines(addresses);
  std::vector<Finding> resolved;
  for (const RawFinding& raw : found_) {
    Finding finding{raw.kind,
                    raw.kernel ? function_name(raw.kernel) : "",
                    resolve(raw.actor, lines),
                    std::nullopt,
                    raw.text,
                    raw.hint,
                    raw.count};
    if (raw.other) finding.other = resolve(*raw.other, lines);
    resolved.push_back(std::move(finding));
  }
  return resolved;
}

void FindingLog::clear() {
  const std::lock_guard lock(mutex_);
  found_.clear();
  index_.clear();
}

RawActor actor_of(const Worker& worker, unsigned number, const CodePlace& place, std::string action) {
  return {index3(worker.block_index()), index3(worker.job().thread_at(number)), place, std::move(action)};
}

RawActor actor_of(const Worker& worker, const CodePlace& place, std::string action) {
  return actor_of(worker, worker.lane()->number, place, std::move(action));
}

}  // namespace simt::runtime
